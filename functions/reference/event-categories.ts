import { eventCategoriesOf } from '../../shared/domain/reference.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import { fromSettings } from './settings-operation.ts';

/** Names only; the dashboard's defaults where none are configured. */
export const listEventCategories = (services: ApiServices) =>
  fromSettings(services, (settings) => ({ event_categories: eventCategoriesOf(settings) }));
