// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source, in which templates are no mistakes.

/** A deliberate fault of the product, and the scenario that finds it. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** What stands there, exactly once, and what stands there instead. */
  readonly find: string;
  readonly replace: string;
  /** The seed that kills it among many accidents, and the number of the law that it breaks there. */
  readonly seed: number;
  readonly law: number;
}

/** A law that none of them breaks proves nothing: see laws/. */
export const mutants: readonly Mutant[] = [
  {
    name: 'delivery-made-again',
    file: 'shared/table/deliveries.ts',
    find: "            ConditionExpression: 'attribute_not_exists(pk)',\n",
    replace: '',
    seed: 2,
    law: 5,
  },
  {
    name: 'response-not-stored',
    file: 'shared/http/perform.ts',
    find: 'lock ? [store.idempotency.finishWrite(call.account, lock, { status, body }), ...writes] : writes',
    replace: 'writes',
    seed: 1,
    law: 2,
  },
  {
    name: 'other-body-replayed',
    file: 'shared/table/idempotency.ts',
    find: " || old['body_hash'] !== lock.bodyHash",
    replace: '',
    seed: 1,
    law: 2,
  },
  {
    name: 'busy-slots-forgotten',
    file: 'shared/domain/webhook.ts',
    find: '  const busy = endpoint.slots.filter(isBusy).length;',
    replace: '  const busy = 0;',
    seed: 6,
    law: 5,
  },
  {
    name: 'six-slots',
    file: 'shared/domain/webhook.ts',
    find: 'export const slotsPerEndpoint = 5;',
    replace: 'export const slotsPerEndpoint = 6;',
    seed: 16,
    law: 6,
  },
  {
    name: 'counted-without-slots',
    file: 'shared/table/endpoint-stats.ts',
    find: '          ...slots.map((slot) => `${slotAttribute(slot)} = :lease`),\n',
    replace: '          "#enabled <> :lease",\n',
    seed: 2,
    law: 5,
  },
  {
    name: 'disabled-at-nine',
    file: 'shared/domain/webhook.ts',
    find: 'export const autoDisableAfter = 10;',
    replace: 'export const autoDisableAfter = 9;',
    seed: 1,
    law: 5,
  },
  {
    name: 'disabled-at-eleven',
    file: 'shared/domain/webhook.ts',
    find: 'export const autoDisableAfter = 10;',
    replace: 'export const autoDisableAfter = 11;',
    seed: 2,
    law: 5,
  },
  {
    name: 'four-attempts',
    file: 'shared/webhooks/ladder.ts',
    find: "  { delayMs: 1440 * minuteMs, channel: 'schedule' },\n",
    replace: '',
    seed: 1,
    law: 3,
  },
  {
    name: 'event-id-by-chance',
    file: 'shared/events/event-id.ts',
    find: '[eventId, partition, sort, type, changedMs]',
    replace: '[eventId, partition, sort, type, changedMs, Math.random()]',
    seed: 1,
    law: 3,
  },
  {
    name: 'failed-batch-taken-for-done',
    file: 'functions/fan-out/app.ts',
    find: 'record ? [{ itemIdentifier: sequenceOf(record) }] : []',
    replace: 'record ? [] : []',
    seed: 3,
    law: 3,
  },
  {
    name: 'disabled-endpoint-hears',
    file: 'shared/domain/webhook.ts',
    find: '  (endpoint.enabled || (endpoint.disabled_ms !== null && changedMs < endpoint.disabled_ms));',
    replace: '  true;',
    seed: 2,
    law: 3,
  },
  {
    name: 'nothing-is-overdue',
    file: 'shared/webhooks/overdue.ts',
    find: 'const found = account === undefined ? refs : refs.filter((ref) => ref.account === account);',
    replace: 'const found = refs.filter((ref) => ref.account === account);',
    seed: 3,
    law: 3,
  },
  {
    name: 'attempt-leased-twice',
    file: 'shared/table/deliveries.ts',
    find: "        `${isCurrent} AND ${isFree}`,\n        {},\n        { ':until': untilMs, ':token': token, ':now': db.clock.now() },",
    replace: "        isCurrent,\n        {},\n        { ':until': untilMs, ':token': token },",
    seed: 2,
    law: 5,
  },
  {
    name: 'short-lease',
    file: 'functions/deliver/services.ts',
    find: 'export const leaseMs = 90_000;',
    replace: 'export const leaseMs = 5_000;',
    seed: 3,
    law: 5,
  },
  {
    name: 'acknowledged-before-commit',
    file: 'shared/http/perform.ts',
    find: 'if (all.length > 0) await store.commit(all);',
    replace: 'if (all.length > 0) void store.commit(all).catch(() => undefined);',
    seed: 2,
    law: 1,
  },
  {
    name: 'commit-in-pieces',
    file: 'shared/table/write.ts',
    find: 'db.client.send(new TransactWriteCommand({ TransactItems: writes.map(({ item }) => item) }))',
    replace: 'Promise.all(writes.map(({ item }) => db.client.send(new TransactWriteCommand({ TransactItems: [item] }))))',
    seed: 2,
    law: 2,
  },
  {
    name: 'nothing-abandoned',
    file: 'functions/deliver/endpoint.ts',
    find: '        await store.deliveries.abandon(message, endpointDisabled, clock.now());\n',
    replace: '',
    seed: 2,
    law: 3,
  },
  {
    name: 'first-subscriber-only',
    file: 'functions/fan-out/record.ts',
    find: 'const subscribed = endpoints.filter((endpoint) => subscribes(endpoint, type, changedMs));',
    replace: 'const subscribed = endpoints.filter((endpoint) => subscribes(endpoint, type, changedMs)).slice(0, 1);',
    seed: 1,
    law: 3,
  },
  {
    name: 'never-disabled',
    file: 'shared/table/endpoint-stats.ts',
    find: '{ enabled: false, disabled_reason: autoDisableReason,',
    replace: '{ enabled: true, disabled_reason: autoDisableReason,',
    seed: 2,
    law: 5,
  },
];
