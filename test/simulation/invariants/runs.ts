import { endpointsDuring, endpointVersions, type Version } from '../reading/endpoints.ts';
import { type Explained, explainedSteps } from './deliveries.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** The most time from a read to the write that it decides. */
const longestDecisionMs = 75_000;

const sentenceOf = ({ was, is }: Explained): string =>
  `went from run ${was?.run}, ${was?.status} after ${was?.attempts} to run ${is?.run}, ${is?.status} after ${is?.attempts}`;

const findingOf = (step: Explained, versions: readonly Version[]): string | undefined => {
  const { kind, by, atMs, attempt } = step;
  if (kind === 'unknown') return `${sentenceOf(step)}, which the specification does not allow.`;
  if (kind === 'redelivered') return by.startsWith('actions#') ? undefined : `${sentenceOf(step)}, and nobody redelivered it.`;
  if (kind === 'delivered' || kind === 'failure')
    return attempt ? undefined : `${sentenceOf(step)}, and no attempt of that run had this outcome.`;
  if (kind !== 'abandoned') return undefined;
  const stood = endpointsDuring(versions, atMs - longestDecisionMs, atMs);
  const mayRest = stood.some((endpoint) => !endpoint?.enabled || endpoint.account_closed);
  return mayRest ? undefined : `failed as endpoint_disabled, and its endpoint was enabled.`;
};

export const ownRun: Invariant = {
  number: 18,
  name: 'an outcome is recorded once, in the run of its attempt, and delivered and failed are final',
  breaches(evidence: Evidence) {
    const versions = endpointVersions(evidence);
    return [...explainedSteps(evidence)].flatMap(([name, steps]) => {
      const ofEndpoint = versions.get(name.split('/')[0] ?? '') ?? [];
      return steps.flatMap((step) => {
        const fault = findingOf(step, ofEndpoint);
        return fault === undefined ? [] : [`${name} ${fault}`];
      });
    });
  },
};
