import type { PageRoute } from '../../shared/core/routes.ts';

/** Notices come first, because no session has the id `notices`. */
export const routes = [
  { operation: 'takeNotice', method: 'POST', path: '/checkout/{account}/notices/{provider}' },
  { operation: 'showPage', method: 'GET', path: '/checkout/{account}/{session}' },
  { operation: 'pay', method: 'POST', path: '/checkout/{account}/{session}/pay' },
  { operation: 'comeBack', method: 'GET', path: '/checkout/{account}/{session}/return' },
] as const satisfies readonly PageRoute[];
