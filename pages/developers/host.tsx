import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Invoke, mountDeveloperPage as Mount, View } from '../../clients/developers-page/src/mount.tsx';

/*
 * Hosts the Developers page on this machine, in place of a merchant's dashboard. The user chooses an
 * account, which a dashboard knows from its login. Actions run through the local service.
 */

/** Accounts of one region. */
interface Place {
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
    let answer: { ok?: boolean; result?: unknown; body?: { error: Envelope }; error?: Envelope };
    try {
      const response = await fetch('/developers/actions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ region, account, action, input, token }),
        cache: 'no-store',
        credentials: 'omit',
      });
      answer = await response.json();
    } catch {
      throw new Error('The local service does not respond. Check that it runs.');
    }
    if (answer.ok !== true) {
      const error = answer.body?.error ?? answer.error ?? { message: 'The service did not respond.' };
      throw Object.assign(new Error(error.message), error);
    }
    return answer.result;
  };

const views: readonly string[] = ['keys', 'webhooks', 'deliveries', 'requests'] satisfies View[];
/** The hash holds the tab and its filters: `#deliveries?status=failed`. */
const placeOf = (hash: string): { readonly view: View; readonly query: string } => {
  const [name = '', query = ''] = hash.slice(1).split('?');
  return { view: views.includes(name) ? (name as View) : 'keys', query };
};

/** The account is not secret, so the address may hold it and a reload returns to it. */
const remembered = (places: readonly Place[]): Chosen | undefined => {
  const query = new URLSearchParams(location.search);
  const place = places.find(({ region }) => region === query.get('region')) ?? places.find(({ accounts }) => accounts.length > 0);
  const account = query.get('account') ?? place?.accounts[0]?.id;
  return place && account ? { region: place.region, account } : undefined;
};

const remember = ({ region, account }: Chosen) => {
  const query = new URLSearchParams({ region, account });
  history.replaceState(null, '', `?${query}${location.hash}`);
};

const Bar = ({ places, chosen, onChoose }: { places: readonly Place[]; chosen: Chosen | undefined; onChoose: (next: Chosen) => void }) => {
  const region = chosen?.region ?? places[0]?.region ?? '';
  const accounts = places.find((place) => place.region === region)?.accounts ?? [];
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
            const first = places.find((place) => place.region === value)?.accounts[0];
            if (first) onChoose({ region: value, account: first.id });
          }}
        >
          {places.map((place) => (
            <option key={place.region} value={place.region} disabled={place.accounts.length === 0}>
              {place.region}
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

const Host = ({ places, target }: { readonly places: readonly Place[]; readonly target: Element }) => {
  const [chosen, setChosen] = useState(remembered(places));
  useEffect(() => {
    const show = () => setChosen(remembered(places));
    addEventListener('popstate', show);
    return () => removeEventListener('popstate', show);
  }, [places]);
  useEffect(() => {
    if (!chosen) {
      target.textContent = 'There is no account yet. Make one with: npm run --silent ops -- account.create --help';
      return;
    }
    remember(chosen);
    const name = places.flatMap(({ accounts }) => accounts).find(({ id }) => id === chosen.account)?.name;
    // The demo account of the first region is the one that the command means on its own.
    const isDemo = places.find(({ accounts }) => accounts.length > 0)?.accounts[0]?.id === chosen.account;
    const page = mountDeveloperPage(target, {
      invoke: invokeOn(chosen),
      account: { id: chosen.account, ...(name === undefined ? {} : { name }) },
      docsUrl: '/docs/',
      listenCommand: isDemo ? listen : `${listen} --region ${chosen.region} --account ${chosen.account}`,
      ...placeOf(location.hash),
      // Back returns to the tab before, not to each filter before.
      onViewChange: (view, query) => {
        const save = view === placeOf(location.hash).view ? 'replaceState' : 'pushState';
        history[save](null, '', `${location.search}#${view}${query && `?${query}`}`);
      },
    });
    return () => page.unmount();
  }, [chosen]);
  return <Bar places={places} chosen={chosen} onChoose={setChosen} />;
};

// Loads the built file as a dashboard does; only its types are known here.
const { mountDeveloperPage } = (await import('/developers/developers-page.js' as string)) as { mountDeveloperPage: typeof Mount };

const bar = document.querySelector('#host');
const target = document.querySelector('#developers');
if (bar && target) {
  const { places } = (await (await fetch('/developers/accounts', { cache: 'no-store' })).json()) as { places: Place[] };
  render(<Host places={places} target={target} />, bar);
}
