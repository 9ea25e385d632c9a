import { apiPrefix, type PageRoute, pageRouteKey, type Route, routeKey } from '../../shared/core/routes.ts';

/** One function behind the gateway with the routes that lead to it. */
interface RouteTarget<Target> {
  readonly routes: readonly Route[];
  readonly target: Target;
}

/** A function behind pages beside the API. */
interface PageTarget<Target> {
  readonly routes: readonly PageRoute[];
  readonly target: Target;
}

export interface RouteMatch<Target> {
  /** Key of the route at API Gateway: `POST /api/v2/expenses`, or `$default`. */
  readonly routeKey: string;
  readonly target: Target;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

/** Returns the function for a method and a raw path; undefined for the `$default` route. */
export type Router<Target> = (method: string, rawPath: string) => RouteMatch<Target> | undefined;

interface Entry<Target> {
  readonly key: string;
  readonly method: string;
  readonly segments: readonly string[];
  readonly target: Target;
}

/**
 * A route that admits publishable keys also gets its OPTIONS, as the HTTP API construct adds it.
 */
const entriesOf = <Target>({ routes, target }: RouteTarget<Target>): Entry<Target>[] =>
  routes.flatMap((route) => {
    const segments = `${apiPrefix}${route.path}`.split('/');
    const own = { key: routeKey(route), method: route.method, segments, target };
    return route.keys === 'any' ? [own, { ...own, key: `OPTIONS ${apiPrefix}${route.path}`, method: 'OPTIONS' }] : [own];
  });

const pageEntriesOf = <Target>({ routes, target }: PageTarget<Target>): Entry<Target>[] =>
  routes.map((route) => ({ key: pageRouteKey(route), method: route.method, segments: route.path.split('/'), target }));

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const isParameter = (segment: string): boolean => segment.startsWith('{');

const parametersOf = (pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined => {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [i, expected] of pattern.entries()) {
    const decoded = decode(segments[i] ?? '');
    if (decoded === undefined) return undefined;
    if (!isParameter(expected)) {
      if (decoded !== expected) return undefined;
    } else if (decoded === '') return undefined;
    else parameters[expected.slice(1, -1)] = decoded;
  }
  return parameters;
};

/**
 * Creates a router that works like an HTTP API: literal segments win over parameters, paths are not
 * normalized, and malformed escapes match no route.
 */
export const createRouter = <Target>(
  targets: readonly RouteTarget<Target>[],
  pages: readonly PageTarget<Target>[] = [],
): Router<Target> => {
  const weight = (entry: Entry<Target>) => entry.segments.filter(isParameter).length;
  const entries = [...targets.flatMap(entriesOf), ...pages.flatMap(pageEntriesOf)].sort((a, b) => weight(a) - weight(b));
  return (method, rawPath) => {
    const segments = rawPath.split('/');
    for (const { key, method: expected, segments: pattern, target } of entries) {
      const pathParameters = expected === method ? parametersOf(pattern, segments) : undefined;
      if (pathParameters) return { routeKey: key, target, ...(Object.keys(pathParameters).length > 0 ? { pathParameters } : {}) };
    }
    return undefined;
  };
};
