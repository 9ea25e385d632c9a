import { type ApiHandler, api } from '../../shared/http/chain.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import { createExpense } from './create.ts';
import { listExpenses } from './list.ts';
import { retrieveExpense } from './retrieve.ts';
import { routes } from './routes.ts';

export const expenses = (services: ApiServices): ApiHandler =>
  api(
    routes,
    { createExpense: createExpense(services), listExpenses: listExpenses(services), retrieveExpense: retrieveExpense(services) },
    services,
  );
