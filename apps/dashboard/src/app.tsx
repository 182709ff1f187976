import "./design/tokens.css";
import "./design/base.css";
import "./design/controls.css";
import "./shell/shell.css";
import { groupByCause } from "@baton/kernel/deciding";
import { Empty } from "./design/empty.tsx";
import { useWaiting, WaitingProvider } from "./hub/waiting.tsx";
import { AgentsPage } from "./pages/agents/agents-page.tsx";
import { AuditPage } from "./pages/audit/audit-page.tsx";
import { EvalsPage } from "./pages/evals/evals-page.tsx";
import { InboxPage } from "./pages/inbox/inbox-page.tsx";
import { NewRunPage } from "./pages/new/new-run-page.tsx";
import { PoliciesPage } from "./pages/policies/policies-page.tsx";
import { RunPage } from "./pages/run/run-page.tsx";
import { RunsPage } from "./pages/runs/runs-page.tsx";
import { SpendPage } from "./pages/spend/spend-page.tsx";
import { Link } from "./router/link.tsx";
import { usePath } from "./router/location.ts";
import { type Route, routeOf } from "./router/routes.ts";
import { Announcement } from "./shell/announcement.tsx";
import { ReadOnlyBanner, TenantStoppedBanner } from "./shell/banners.tsx";
import { KeyGate } from "./shell/key-gate.tsx";
import { Navigation } from "./shell/navigation.tsx";
import { SideFoot } from "./shell/side-foot.tsx";
import { useTitle } from "./shell/use-title.ts";

export function App() {
  return (
    <KeyGate>
      <WaitingProvider>
        <Shell />
      </WaitingProvider>
    </KeyGate>
  );
}

function Shell() {
  const path = usePath();
  const route = routeOf(path);
  const { value: waiting = [], hasMore } = useWaiting();
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <div className="shell">
        <header className="side">
          <Link className="brand" href="/runs" aria-label="Baton">
            <img src="/favicon.svg" alt="" />
            <span>Baton</span>
          </Link>
          <Navigation
            current={`/${path.split("/")[1] || "runs"}`}
            waiting={groupByCause(waiting).length}
            hasMore={hasMore}
          />
          <SideFoot />
        </header>
        <main className="content" id="content" tabIndex={-1}>
          <ReadOnlyBanner />
          <TenantStoppedBanner />
          <Page route={route} />
        </main>
        <Announcement />
      </div>
    </>
  );
}

function Page({ route }: { readonly route: Route }) {
  switch (route.page) {
    case "runs":
      return <RunsPage />;
    case "inbox":
      return <InboxPage />;
    case "agents":
      return <AgentsPage />;
    case "audit":
      return <AuditPage />;
    case "policies":
      return <PoliciesPage />;
    case "spend":
      return <SpendPage />;
    case "evals":
      return <EvalsPage />;
    case "new":
      return <NewRunPage />;
    case "run":
      return <RunPage pipelineId={route.pipelineId} key={route.pipelineId} />;
    default:
      return <MissingPage />;
  }
}

function MissingPage() {
  useTitle("Not found");
  return (
    <Empty title="Page not found" isPage>
      <Link href="/runs">View runs</Link>
    </Empty>
  );
}
