import { type ApiHandler, api } from '../../shared/http/chain.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import { listExpenseCategories } from './expense-categories.ts';
import { routes } from './routes.ts';

export const reference = (services: ApiServices): ApiHandler => api(routes, { listExpenseCategories: listExpenseCategories() }, services);
