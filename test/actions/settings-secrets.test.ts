import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { malformedReferences } from '../support/secrets.ts';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';
import { allSettings } from './settings-sample.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeEach(async () => {
  account = await dashboard.openAccount();
});

const stored = (id = account) => dashboard.services.store.accounts.getSettings(id);

describe('secrets of settings', () => {
  const masked = {
    search: { ...allSettings.search, search_key: '****abcd', admin_key: '****efgh' },
    checkout: { ...allSettings.checkout, secret_key: '****5678', webhook_secret: '****4321' },
  };

  test('secrets of settings are shown by neither action', async () => {
    const put = await dashboard.act('settings.put', account, allSettings);
    expect(put).toEqual({ ...allSettings, ...masked });
    expect(await dashboard.act('settings.get', account)).toEqual(put);
  });

  test('secrets of settings are masked completely if they are short', async () => {
    await dashboard.act('settings.put', account, { checkout: { gateway: 'stripe', secret_key: 'tiny-one' } });
    expect(await dashboard.act('settings.get', account)).toEqual({ checkout: { gateway: 'stripe', secret_key: '****' } });
  });

  test('secrets of settings stay unchanged if the settings are saved as read', async () => {
    await dashboard.act('settings.put', account, allSettings);
    const { custom_fields: _, ...edited } = await dashboard.act('settings.get', account);
    await dashboard.act('settings.put', account, { ...edited, checkout: { ...edited['checkout'], webhook_secret: 'whsec_replaced' } });
    const { custom_fields: __, ...remainingSettings } = allSettings;
    expect(await stored()).toEqual({ ...remainingSettings, checkout: { ...allSettings.checkout, webhook_secret: 'whsec_replaced' } });
  });

  test('secrets of settings are rejected if they are masked and match no stored secret', async () => {
    await dashboard.act('settings.put', account, { search: null, checkout: null });
    for (const document of [masked, { search: allSettings.search, checkout: masked.checkout }]) {
      const error = await dashboard.errorOf('settings.put', account, document);
      expect(error).toMatchObject({ status: 400, field: expect.stringMatching(/^(search|checkout)\.\w+$/) });
    }
    expect(await stored()).toEqual({ search: null, checkout: null });
  });

  /** Each field that `settings.get` masks, and the fields that decide its destination. */
  const secretTargets: readonly [block: 'search' | 'checkout', secret: string, target: string, another: string][] = [
    ['search', 'search_key', 'host', 'evil.example.com'],
    ['search', 'admin_key', 'host', 'evil.example.com'],
    ['checkout', 'secret_key', 'gateway', 'sandbox'],
    ['checkout', 'webhook_secret', 'gateway', 'sandbox'],
  ];

  test('secrets of settings are exactly those of the listed fields', async () => {
    const shown: Record<string, any> = await dashboard.act('settings.put', account, allSettings);
    const differing = (['search', 'checkout'] as const).flatMap((block) =>
      Object.entries(allSettings[block]).flatMap(([name, value]) =>
        isDeepStrictEqual(shown[block][name], value) ? [] : [`${block}.${name}`],
      ),
    );
    expect(differing).toEqual(secretTargets.map(([block, secret]) => `${block}.${secret}`));
  });

  describe.each(secretTargets)('a masked secret of %s.%s', (block, secret, target, another) => {
    /** The settings as read, with every other secret sent again. */
    const document = async (fields: Record<string, unknown> = {}) => {
      const shown: Record<string, any> = await dashboard.act('settings.put', account, allSettings);
      return { ...allSettings, [block]: { ...allSettings[block], [secret]: shown[block][secret], ...fields } };
    };

    test(`the masked secret ${block}.${secret} is rejected with another ${target}, and the stored settings stay`, async () => {
      const error = await dashboard.errorOf('settings.put', account, await document({ [target]: another }));
      expect(error).toMatchObject({ status: 400, code: 'invalid_value', field: `${block}.${secret}` });
      expect(await stored()).toEqual(allSettings);
    });

    test(`the masked secret ${block}.${secret} may be given again with another ${target}, which the sandbox rejects`, async () => {
      const resent = await document({ [target]: another, [secret]: 'said-once-more' });
      if (another === 'sandbox') {
        expect(await dashboard.errorOf('settings.put', account, resent)).toMatchObject({ status: 400, field: 'checkout.secret_key' });
        return;
      }
      await dashboard.act('settings.put', account, resent);
      expect(await stored()).toEqual(resent);
    });

    test(`the masked secret ${block}.${secret} stays stored if only other fields change`, async () => {
      const other = block === 'search' ? { collection: 'cakes' } : { branding: { name: 'Crumb' }, delivery_fee: 3 };
      await dashboard.act('settings.put', account, await document(other));
      expect(await stored()).toEqual({ ...allSettings, [block]: { ...allSettings[block], ...other } });
    });

    test(`the masked secret ${block}.${secret} is rejected if no secret has that name`, async () => {
      const masked: Record<string, any> = await document();
      await dashboard.act('settings.put', account, {
        search: null,
        checkout: { gateway: 'stripe', secret_key: null, webhook_secret: null },
      });
      for (const text of [masked[block][secret], '****', '****abcd', '****=none'])
        expect(await dashboard.errorOf('settings.put', account, { [block]: { ...masked[block], [secret]: text } })).toMatchObject({
          status: 400,
          field: `${block}.${secret}`,
        });
    });
  });

  test('secrets of settings are returned unmasked if they are references, and stay if sent again', async () => {
    const references = {
      search: { ...allSettings.search, search_key: 'ssm:search/search_key', admin_key: 'ssm:search/admin' },
      checkout: { gateway: 'stripe', secret_key: 'ssm:stripe/secret_key', webhook_secret: 'ssm:stripe/webhook.secret' },
    };
    expect(await dashboard.act('settings.put', account, references)).toEqual(references);
    await dashboard.act('settings.put', account, await dashboard.act('settings.get', account));
    expect(await stored()).toEqual(references);
  });

  test.each([
    ['search.search_key', { search: { ...allSettings.search, search_key: 'ssm:/BakeryCommerce-us/acct_other/key' } }],
    ['search.admin_key', { search: { ...allSettings.search, admin_key: 'ssm:' } }],
    ['checkout.secret_key', { checkout: { gateway: 'stripe', secret_key: 'ssm:a/b/c/d/e/f' } }],
    ['checkout.webhook_secret', { checkout: { gateway: 'stripe', webhook_secret: 'ssm:two words' } }],
    // A reference to a secret with another purpose, or to no secret.
    ['search.search_key', { search: { ...allSettings.search, search_key: 'ssm:stripe/secret_key' } }],
    ['search.admin_key', { search: { ...allSettings.search, admin_key: 'ssm:stripe/secret_key' } }],
    ['search.admin_key', { search: { ...allSettings.search, admin_key: 'ssm:search' } }],
    ['search.admin_key', { search: { ...allSettings.search, admin_key: 'ssm:searches/admin' } }],
    ['checkout.secret_key', { checkout: { gateway: 'stripe', secret_key: 'ssm:search/admin_key' } }],
    ['checkout.webhook_secret', { checkout: { gateway: 'stripe', webhook_secret: 'ssm:webhook_secret' } }],
    ...malformedReferences.map((reference): [string, object] => [
      'checkout.secret_key',
      { checkout: { gateway: 'stripe', secret_key: reference } },
    ]),
    ...malformedReferences.map((reference): [string, object] => [
      'search.admin_key',
      { search: { ...allSettings.search, admin_key: reference } },
    ]),
  ])('secrets of settings are rejected if they are malformed references: %s', async (field, document) => {
    const error = await dashboard.errorOf('settings.put', account, document);
    expect(error).toMatchObject({ status: 400, code: 'invalid_value', field });
  });

  test('secrets of settings are never restored into another account', async () => {
    await dashboard.act('settings.put', account, allSettings);
    expect(await dashboard.errorOf('settings.put', await dashboard.openAccount(), masked)).toMatchObject({ status: 400 });
  });
});
