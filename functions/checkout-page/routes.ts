import type { PageRoute } from '../../shared/core/routes.ts';

/** Notices come first: no session is called that. */
export const routes = [
  { operation: 'takeNotice', method: 'POST', path: '/checkout/{account}/notices/{provider}' },
  { operation: 'showPage', method: 'GET', path: '/checkout/{account}/{session}' },
  { operation: 'pay', method: 'POST', path: '/checkout/{account}/{session}/pay' },
  { operation: 'comeBack', method: 'GET', path: '/checkout/{account}/{session}/return' },
] as const satisfies readonly PageRoute[];
