import { apiPrefix, type Route, routeKey } from '../../shared/core/routes.ts';

export interface MatchedRoute {
  /** Key of the route at API Gateway: `POST /api/v2/expenses`, or `$default`. */
  readonly routeKey: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

/** Returns the function for a method and a raw path; undefined for the `$default` route. */
export type Router<Target> = (method: string, rawPath: string) => (MatchedRoute & { readonly target: Target }) | undefined;

/**
 * Returns the keys of a group's routes. A route that admits publishable keys also gets its OPTIONS,
 * as the HTTP API construct adds it.
 */
export const apiRouteKeys = (routes: readonly Route[]): string[] =>
  routes.flatMap((route) => [routeKey(route), ...(route.keys === 'any' ? [`OPTIONS ${apiPrefix}${route.path}`] : [])]);

/** Returns the text without percent-encoding; undefined if an escape is malformed. */
export const decodePart = (text: string): string | undefined => {
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
    const decoded = decodePart(segments[i] ?? '');
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
  targets: readonly { readonly routeKeys: readonly string[]; readonly target: Target }[],
): Router<Target> => {
  const entries = targets
    .flatMap(({ routeKeys, target }) => routeKeys.map((key) => ({ routeKey: key, target, pattern: key.split('/') })))
    .sort((a, b) => a.pattern.filter(isParameter).length - b.pattern.filter(isParameter).length);
  return (method, rawPath) => {
    // The first segment is the method.
    const segments = `${method} ${rawPath}`.split('/');
    for (const { routeKey, target, pattern } of entries) {
      const pathParameters = parametersOf(pattern, segments);
      if (pathParameters) return { routeKey, target, ...(Object.keys(pathParameters).length > 0 ? { pathParameters } : {}) };
    }
    return undefined;
  };
};
