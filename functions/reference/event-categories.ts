import { eventCategoriesOf } from '../../shared/domain/reference/rules.ts';
import type * as wire from '../../shared/domain/reference/wire.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import { fromSettings } from './settings-operation.ts';

/** Names only; the dashboard's defaults where none are configured. */
export const listEventCategories = (services: ApiServices) =>
  fromSettings(services, (settings): wire.EventCategoryList => ({ event_categories: eventCategoriesOf(settings) }));
