import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { startConnection } from "./hub/connection.ts";
import { signIn } from "./hub/sign-in.ts";
import { listenForShortcuts } from "./router/keys.ts";
import { startTheme } from "./shell/theme.tsx";

startTheme();
listenForShortcuts();
// The session comes first. Otherwise everything would be read twice.
void signIn().then(startConnection);
const place = document.getElementById("page");
if (place) {
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
