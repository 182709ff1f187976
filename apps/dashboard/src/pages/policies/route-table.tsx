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
            <th scope="col">Type of task</th>
            <th scope="col">May be taken by</th>
            <th scope="col">Treated as at least</th>
            <th scope="col">Else</th>
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
              <td>
                {route.allowedPackIds.map((pack) => (
                  <span key={pack} className={pack === route.preferredPackId ? "badge busy" : "badge"}>
                    <Link href={packAddress(pack)}>{pack}</Link>
                    {pack === route.preferredPackId && " (preferred)"}
                  </span>
                ))}
              </td>
              <td>{tierWord(route.minRiskTier)}</td>
              <td>{route.fallbackPackId || "asks a person"}</td>
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
  return tier === RiskTier.UNSPECIFIED ? "as the task says" : `${RiskTier[tier]?.toLowerCase()} risk`;
}
