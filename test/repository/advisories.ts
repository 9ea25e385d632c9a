/** Advisories that do not apply here, by GHSA identifier, each with its reason. */
export const accepted: Readonly<Record<string, string>> = {};

interface Advisory {
  readonly name: string;
  readonly title: string;
  readonly url: string;
  readonly severity: string;
}

/**
 * Output of `npm audit --json`; a text in `via` names the vulnerable package that a package depends
 * on.
 */
export interface AuditReport {
  readonly auditReportVersion: 2;
  readonly vulnerabilities: Readonly<Record<string, { readonly via: readonly (string | Advisory)[] }>>;
}

/** False for npm's output if the registry fails. */
export const isReport = (output: unknown): output is AuditReport =>
  typeof output === 'object' && output !== null && (output as { auditReportVersion?: unknown }).auditReportVersion === 2;

const advisoriesOf = ({ vulnerabilities }: AuditReport): ReadonlyMap<string, Advisory> =>
  new Map(
    Object.values(vulnerabilities)
      .flatMap(({ via }) => via.filter((cause): cause is Advisory => typeof cause === 'object'))
      .map((advisory) => [advisory.url.split('/').at(-1) ?? advisory.url, advisory]),
  );

/**
 * Returns the advisories that fail: all of a deployed package, high and critical ones of any other.
 * `stale` are accepted but not reported.
 */
export const judge = (reports: {
  readonly deployed: AuditReport;
  readonly all: AuditReport;
  readonly accepted: Readonly<Record<string, string>>;
}): { readonly unaccepted: readonly string[]; readonly stale: readonly string[] } => {
  const [deployed, all] = [advisoriesOf(reports.deployed), advisoriesOf(reports.all)];
  const unaccepted = [...all]
    .filter(([id, { severity }]) => (deployed.has(id) || severity === 'high' || severity === 'critical') && !(id in reports.accepted))
    .map(([id, { name, severity, title }]) => `${id} ${severity} ${deployed.has(id) ? 'deployed' : 'development'} ${name}: ${title}`);
  return { unaccepted, stale: Object.keys(reports.accepted).filter((id) => !all.has(id)) };
};
