import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Invoke, mountDeveloperPage as Mount, MountedPage, Shown, View } from './src/mount.tsx';

/*
 * Hosts the Developers page on this machine, in place of a merchant's dashboard. The user chooses an
 * account, which a dashboard knows from its login. Actions run through the local service.
 */

/** Accounts of one region. */
interface RegionAccounts {
  readonly region: string;
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
}

interface Chosen {
  readonly region: string;
  readonly account: string;
}

interface Envelope {
  readonly message: string;
  readonly code?: string;
  readonly field?: string;
}

const invokeOn =
  ({ region, account }: Chosen): Invoke =>
  async (action, input, token) => {
    let actionResponse: { ok?: boolean; result?: unknown; body?: { error: Envelope }; error?: Envelope };
    try {
      const response = await fetch('/developers/actions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ region, account, action, input, token }),
        cache: 'no-store',
        credentials: 'omit',
      });
      actionResponse = await response.json();
    } catch {
      throw new Error('The local service does not respond. Check that it runs.');
    }
    if (actionResponse.ok !== true) {
      const error = actionResponse.body?.error ?? actionResponse.error ?? { message: 'The service did not respond.' };
      throw Object.assign(new Error(error.message), error);
    }
    return actionResponse.result;
  };

const views: readonly string[] = ['keys', 'webhooks', 'deliveries', 'requests'] satisfies View[];
/** A hand-written address may hold a stray `%`. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
/** The hash holds the tab, what is open in it, and its filters: `#deliveries/<endpoint>/<event>?status=failed`. */
const viewOfHash = (hash: string): Shown => {
  const [path = '', query = ''] = hash.slice(1).split('?');
  const [name = '', ...item] = path.split('/').map(decoded);
  return { view: views.includes(name) ? (name as View) : 'keys', query, item: item.join('/') };
};

const hashOf = ({ view, query, item }: Shown): string =>
  `#${[view, ...item.split('/').filter(Boolean).map(encodeURIComponent)].join('/')}${query && `?${query}`}`;

/** The account is not secret, so the address may hold it and a reload returns to it. */
const remembered = (regions: readonly RegionAccounts[]): Chosen | undefined => {
  const query = new URLSearchParams(location.search);
  const regionAccounts =
    regions.find(({ region }) => region === query.get('region')) ?? regions.find(({ accounts }) => accounts.length > 0);
  const account = query.get('account') ?? regionAccounts?.accounts[0]?.id;
  return regionAccounts && account ? { region: regionAccounts.region, account } : undefined;
};

const searchOf = ({ region, account }: Chosen): string => `?${new URLSearchParams({ region, account })}`;

const Bar = ({
  regions,
  chosen,
  onChoose,
}: {
  regions: readonly RegionAccounts[];
  chosen: Chosen | undefined;
  onChoose: (next: Chosen) => void;
}) => {
  const region = chosen?.region ?? regions[0]?.region ?? '';
  const accounts = regions.find((regionAccounts) => regionAccounts.region === region)?.accounts ?? [];
  const isListed = accounts.some(({ id }) => id === chosen?.account);
  return (
    <header class="host-bar">
      <p>
        <strong>Bakery Commerce</strong> <span>on this machine</span>
      </p>
      <label>
        <span>Region</span>
        <select
          value={region}
          onChange={({ currentTarget: { value } }) => {
            const first = regions.find((regionAccounts) => regionAccounts.region === value)?.accounts[0];
            if (first) onChoose({ region: value, account: first.id });
          }}
        >
          {regions.map((regionAccounts) => (
            <option key={regionAccounts.region} value={regionAccounts.region} disabled={regionAccounts.accounts.length === 0}>
              {regionAccounts.region}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Account</span>
        <select value={chosen?.account ?? ''} onChange={(event) => onChoose({ region, account: event.currentTarget.value })}>
          {chosen && !isListed && <option value={chosen.account}>{chosen.account}</option>}
          {accounts.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </header>
  );
};

// The command looks for the service at port 4000, unless it names another.
const listen = `npm run --silent ops -- listen${location.port === '4000' ? '' : ` --port ${location.port || 80}`}`;

const Host = ({ regions, target }: { readonly regions: readonly RegionAccounts[]; readonly target: Element }) => {
  const [chosen, setChosen] = useState(remembered(regions));
  const mounted = useRef<MountedPage | undefined>(undefined);
  useEffect(() => {
    const follow = () => {
      const next = remembered(regions);
      if (!chosen || !next || searchOf(next) !== searchOf(chosen)) return setChosen(next);
      const { view, query, item } = viewOfHash(location.hash);
      mounted.current?.show(view, query, item);
    };
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, [regions, chosen]);
  useEffect(() => {
    if (!chosen) {
      target.textContent = 'There is no account yet. Make one with: npm run --silent ops -- account.create --help';
      return;
    }
    history.replaceState(history.state, '', `${searchOf(chosen)}${hashOf(viewOfHash(location.hash))}`);
    const name = regions.flatMap(({ accounts }) => accounts).find(({ id }) => id === chosen.account)?.name;
    // The demo account of the first region is the one that the command means on its own.
    const isDemo = regions.find(({ accounts }) => accounts.length > 0)?.accounts[0]?.id === chosen.account;
    const page = mountDeveloperPage(target, {
      invoke: invokeOn(chosen),
      account: { id: chosen.account, ...(name === undefined ? {} : { name }) },
      docsUrl: '/docs/',
      listenCommand: isDemo ? listen : `${listen} --region ${chosen.region} --account ${chosen.account}`,
      ...viewOfHash(location.hash),
      onViewChange: (view, query, item, step) => {
        const hash = hashOf({ view, query, item });
        if (hash === location.hash) return;
        // The entry before is what the closed item was opened from.
        if (step === 'close' && history.state?.from === hash) history.back();
        else if (step === 'push') history.pushState({ from: location.hash }, '', `${location.search}${hash}`);
        else history.replaceState(history.state, '', `${location.search}${hash}`);
      },
    });
    mounted.current = page;
    return () => page.unmount();
  }, [chosen]);
  // Another account has neither the open item nor what the filters name.
  const choose = (next: Chosen) => {
    history.pushState(null, '', `${searchOf(next)}#${viewOfHash(location.hash).view}`);
    setChosen(next);
  };
  return <Bar regions={regions} chosen={chosen} onChoose={choose} />;
};

// Loads the built file as a dashboard does; only its types are known here.
const { mountDeveloperPage } = (await import('/developers/developers-page.js' as string)) as { mountDeveloperPage: typeof Mount };

const bar = document.querySelector('#host');
const target = document.querySelector('#developers');
if (bar && target) {
  const { places } = (await (await fetch('/developers/accounts', { cache: 'no-store' })).json()) as { places: RegionAccounts[] };
  render(<Host regions={places} target={target} />, bar);
}
