import { eventCategoriesOf } from '../../shared/domain/reference.ts';
import type * as wire from '../../shared/domain/wire/reference.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import { fromSettings } from './settings-operation.ts';

/** Names only; the dashboard's defaults where none are configured. */
export const listEventCategories = (services: ApiServices) =>
  fromSettings(services, (settings): wire.EventCategoryList => ({ event_categories: eventCategoriesOf(settings) }));
