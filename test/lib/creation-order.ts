import type { Template } from 'aws-cdk-lib/assertions';

type Node = Readonly<Record<string, unknown>>;

/** Returns the logical ids that a value refers to. */
const references = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, argument]) => {
    if (key === 'Ref') return [String(argument)];
    if (key === 'Fn::GetAtt') return [String((argument as unknown[])[0])];
    if (key === 'Fn::Sub') return [...JSON.stringify(argument).matchAll(/\$\{([\w:]+)/g)].map(([, id = '']) => id);
    return references(argument);
  });
};

/**
 * For each resource everything that CloudFormation finishes before it starts it: what it names or
 * depends on, and what that does.
 */
const waitsFor = (resources: Readonly<Record<string, Node>>): ((id: string) => ReadonlySet<string>) => {
  const known = new Map<string, Set<string>>();
  const before = (id: string): Set<string> => {
    const found = known.get(id);
    if (found) return found;
    const all = new Set<string>();
    known.set(id, all);
    const { DependsOn = [], Properties = {} } = resources[id] ?? {};
    for (const next of [...[DependsOn].flat().map(String), ...references(Properties)]) {
      if (!(next in resources)) continue;
      all.add(next);
      for (const earlier of before(next)) all.add(earlier);
    }
    return all;
  };
  return before;
};

/**
 * The most resources of a type that CloudFormation may be making at the same moment: the largest
 * set of which none waits for another. By Dilworth's theorem that is how many chains cover all of
 * them, which is their number less the largest matching of each with a later one.
 */
export const mostAtOnce = (template: Template, type: string): number => {
  const { Resources } = template.toJSON() as { Resources: Record<string, Node> };
  const before = waitsFor(Resources);
  const ids = Object.keys(Resources).filter((id) => Resources[id]?.['Type'] === type);
  const follower = new Map<string, string>();
  const giveFollower = (id: string, tried: Set<string>): boolean =>
    ids.some((later) => {
      if (tried.has(later) || !before(later).has(id)) return false;
      tried.add(later);
      const rival = follower.get(later);
      if (rival !== undefined && !giveFollower(rival, tried)) return false;
      follower.set(later, id);
      return true;
    });
  return ids.length - ids.filter((id) => giveFollower(id, new Set())).length;
};
