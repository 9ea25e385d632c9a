import type { InferOutput } from 'valibot';
import { type CustomField, customFieldsOf } from '../../shared/domain/reference/rules.ts';
import type * as wire from '../../shared/domain/reference/wire.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import type { customFieldsQuery } from './schema.ts';
import { fromSettings, isMerchant } from './settings-operation.ts';

const fieldView = ({ id, key, name, type, required, options, scopes, internal }: CustomField, merchant: boolean): wire.CustomField => ({
  id,
  key,
  name,
  type,
  required,
  options,
  scopes,
  ...(merchant ? { internal } : {}),
});

/** Active definitions, all or those of one scope; shoppers see none that are internal. */
export const listCustomFields = (services: ApiServices) =>
  fromSettings<InferOutput<typeof customFieldsQuery>>(services, (settings, call): wire.CustomFieldList => {
    const merchant = isMerchant(call);
    const { scope } = call.query;
    const shown = customFieldsOf(settings).filter(
      (field) => (merchant || !field.internal) && (scope === undefined || field.scopes.includes(scope)),
    );
    return { fields: shown.map((field) => fieldView(field, merchant)) };
  });
