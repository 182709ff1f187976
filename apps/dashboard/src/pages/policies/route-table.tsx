import { RiskTier, type RouteView } from "@baton/contract/messages";
import { Link } from "../../router/link.tsx";
import { packAddress } from "../../router/routes.ts";

interface RouteTableProps {
  readonly routes: readonly RouteView[];
  readonly tried: RouteView | undefined;
  readonly onTry: (route: RouteView) => void;
}

export function RouteTable({ routes, tried, onTry }: RouteTableProps) {
  return (
    <div className="table-frame routes" tabIndex={0} role="group" aria-label="Routes">
      <table className="table instances">
        <thead>
          <tr>
            <th scope="col">Task type</th>
            <th scope="col">Allowed packs</th>
            <th scope="col">Minimum risk</th>
            <th scope="col">Fallback</th>
            <th scope="col">
              <span className="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {routes.map((route) => (
            <tr key={route.taskType}>
              <td>
                <code>{route.taskType}</code>
              </td>
              <td data-label="Allowed packs">
                <span>
                  {route.allowedPackIds.map((pack) => (
                    <span key={pack} className={pack === route.preferredPackId ? "badge busy" : "badge"}>
                      <Link href={packAddress(pack)}>{pack}</Link>
                      {pack === route.preferredPackId && " (preferred)"}
                    </span>
                  ))}
                </span>
              </td>
              <td data-label="Minimum risk">{tierWord(route.minRiskTier)}</td>
              <td data-label="Fallback">{route.fallbackPackId || "asks a person"}</td>
              <td>
                <button
                  type="button"
                  className="button small"
                  aria-pressed={tried?.taskType === route.taskType}
                  onClick={() => onTry(route)}
                >
                  What if…
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function tierWord(tier: RiskTier): string {
  return tier === RiskTier.UNSPECIFIED ? "as stated by the task" : `${RiskTier[tier]?.toLowerCase()} risk`;
}
