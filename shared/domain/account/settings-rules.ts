import { invalidValue } from '../../core/errors.ts';
import { slotTypes } from '../enumerations.ts';
import type { Settings, SettingsChanges } from './settings.ts';

/** Rules of the settings that concern more than one field, or the stored settings (decisions §5). */

type Sent = Settings | SettingsChanges;
type Block = Readonly<Record<string, unknown>>;

/** The blocks with secrets: the field that says whose the secrets are, and the secrets. */
const blocks = {
  search: { kind: 'provider', secrets: { typesense: ['search_key', 'admin_key'] } },
  checkout: { kind: 'gateway', secrets: { sandbox: [], stripe: ['secret_key', 'webhook_secret'] } },
} as const;
const blockNames = ['search', 'checkout'] as const;

/** The hour at which a day begins, as the end of a slot also its last moment. */
const midnight = '00:00';

const checkSlots = ({ time_slots }: Sent): void => {
  for (const type of slotTypes)
    for (const [i, { start, end }] of (time_slots?.[type] ?? []).entries())
      if (start && end && end !== midnight && end < start)
        throw invalidValue(
          `time_slots.${type}.${i}.end`,
          `time_slots.${type}.${i}.end must not be before its start. ${midnight} ends the day.`,
        );
};

const checkRules = ({ recurring_rules }: Sent): void => {
  for (const [i, { start_date, end_date }] of (recurring_rules ?? []).entries())
    if (start_date && end_date && end_date < start_date)
      throw invalidValue(`recurring_rules.${i}.end_date`, `recurring_rules.${i}.end_date must not be before its start_date.`);
};

/** Values of orders are stored by key, so two active fields cannot share one. */
const checkKeys = ({ custom_fields }: Sent): void => {
  const taken = new Set<string>();
  for (const [i, { id, key, active }] of (custom_fields ?? []).entries()) {
    if (taken.has(key || id)) {
      const field = `custom_fields.${i}.${key ? 'key' : 'id'}`;
      throw invalidValue(field, `${field} is the key of an earlier active field. Choose another key.`);
    }
    if (active !== false) taken.add(key || id);
  }
};

const checkSecrets = (sent: Sent, stored: Settings): void => {
  for (const name of blockNames) {
    const [block, before] = [sent[name] as Block | null | undefined, (stored[name] ?? {}) as Block];
    if (!block) continue;
    const { kind, secrets } = blocks[name];
    const own: readonly string[] = (secrets as Readonly<Record<string, readonly string[]>>)[String(block[kind])] ?? [];
    const foreign = Object.values(secrets)
      .flat()
      .find((secret) => typeof block[secret] === 'string' && !own.includes(secret));
    if (foreign !== undefined)
      throw invalidValue(`${name}.${foreign}`, `${name}.${foreign} is no field of the ${kind} ${block[kind]}. Leave it out.`);
    const missing = block[kind] === before[kind] && own.find((secret) => typeof before[secret] === 'string' && !(secret in block));
    if (missing)
      throw invalidValue(
        `${name}.${missing}`,
        `${name}.${missing} is stored and missing here. Send it as settings.get shows it, or null to remove it.`,
      );
  }
};

/** Checks the sent fields of the settings, against each other and against what is stored. */
export const checkSent = (sent: Sent, stored: Settings): void => {
  checkSlots(sent);
  checkRules(sent);
  checkKeys(sent);
  checkSecrets(sent, stored);
};

/** Rejects a whole document that lacks a stored block, which a slip would remove. */
export const checkWhole = (document: Settings, stored: Settings): void => {
  const missing = blockNames.find((name) => stored[name] && !(name in document));
  if (missing !== undefined)
    throw invalidValue(missing, `${missing} is stored and missing here. Send it as settings.get shows it, or null to remove it.`);
};
