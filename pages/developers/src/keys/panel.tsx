import { useRef, useState } from 'preact/hooks';
import type { ApiKey, Change, PageResults } from '../contract.ts';
import { requestQueryOf } from '../requests/query.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Menu } from '../ui/menu.tsx';
import { ShownOnce } from '../ui/once.tsx';
import { Badge, Day, Empty, Loading, PanelHead, Problem, Time } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { useLoaded } from '../ui/work.ts';
import { readKeys } from './all-keys.ts';
import { CreateKey } from './create.tsx';
import { groupLabel } from './groups.ts';
import { RenameKey } from './rename.tsx';
import { ReplaceKey } from './replace.tsx';

const stateOf = (key: ApiKey): 'active' | 'revoked' | 'expired' => {
  if (key.revoked_at !== null) return 'revoked';
  return key.expires_at !== null && Date.parse(key.expires_at) <= Date.now() ? 'expired' : 'active';
};

const KeyState = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const state = stateOf(apiKey);
  if (state === 'active') return <Badge tone="good">Active</Badge>;
  return <Badge tone="quiet">{state === 'revoked' ? 'Revoked' : 'Expired'}</Badge>;
};

/** Usable keys first, then newest first. */
const inOrder = (keys: readonly ApiKey[]): ApiKey[] =>
  [...keys].sort((a, b) => Number(stateOf(a) !== 'active') - Number(stateOf(b) !== 'active') || b.created_at.localeCompare(a.created_at));

interface KeyRowProps {
  readonly apiKey: ApiKey;
  readonly onRequests: () => void;
  readonly onRename: () => void;
  readonly onReplace: () => void;
  readonly onRevoke: () => void;
}

const KeyRow = ({ apiKey: key, onRequests, onRename, onReplace, onRevoke }: KeyRowProps) => (
  <tr>
    <th scope="row" title={key.name}>
      {key.name}
    </th>
    <td data-label="Status">
      <KeyState apiKey={key} />
    </td>
    <td data-label="Key">
      <code>{key.prefix}…</code>
    </td>
    <td data-label="May use">
      <details>
        <summary>{key.type === 'publishable' ? 'Publishable' : `Secret, ${groupLabel(key.group).toLowerCase()}`}</summary>
        <ul class="scopes">
          {key.scopes.map((scope) => (
            <li key={scope}>{scope}</li>
          ))}
        </ul>
      </details>
    </td>
    <td data-label="Last used">
      <Day day={key.last_used_on} absent="Never" />
    </td>
    <td data-label="Expires" class={key.expires_at === null ? 'absent' : undefined}>
      <Time iso={key.expires_at} absent="Never" />
    </td>
    <td data-label="Created">
      <Day day={key.created_at.slice(0, 10)} absent="–" />
    </td>
    <td class="row-action">
      <Menu
        label={`Actions for ${key.name}`}
        items={[
          { label: 'Requests', onChoose: onRequests },
          ...(key.revoked_at === null ? [{ label: 'Rename', onChoose: onRename }] : []),
          ...(stateOf(key) === 'active' ? [{ label: 'Replace', onChoose: onReplace }] : []),
          ...(key.revoked_at === null ? [{ label: 'Revoke', onChoose: onRevoke, danger: true }] : []),
        ]}
      />
    </td>
  </tr>
);

export const KeysPanel = () => {
  const { read, show, announce, formatTime } = useSurroundings();
  const heading = useRef<HTMLHeadingElement>(null);
  const keys = useLoaded(() => readKeys(read), 'keys');
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<PageResults['key.create'] & Partial<PageResults['key.replace']>>();
  const [renaming, setRenaming] = useState<ApiKey>();
  const [replacing, setReplacing] = useState<ApiKey>();
  const [revoking, setRevoking] = useState<ApiKey>();
  const createButton = useRef<HTMLButtonElement>(null);

  const revoke = async (change: Change, key: ApiKey) => {
    await change('key.revoke', { id: key.id });
    setRevoking(undefined);
    await keys.reload();
    announce(`${key.name} is revoked.`);
    heading.current?.focus();
  };

  const create = (
    <button type="button" class="primary" ref={createButton} onClick={() => setCreating(true)}>
      Create key
    </button>
  );
  return (
    <>
      <PanelHead title="API keys" intro="Your servers and shops use them to call the API in your name." heading={heading}>
        {keys.value?.length !== 0 && create}
      </PanelHead>
      <Problem failure={keys.failure} onRetry={keys.reload} />
      {!keys.value && keys.loading && <Loading what="keys" />}
      {keys.value?.length === 0 && (
        <Empty title="No keys yet" action={create}>
          A program needs one for its first request.
        </Empty>
      )}
      {keys.value && keys.value.length > 0 && (
        <table class="rows keys">
          <caption>API keys</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Status</th>
              <th scope="col">Key</th>
              <th scope="col">May use</th>
              <th scope="col">Last used</th>
              <th scope="col">Expires</th>
              <th scope="col">Created</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {inOrder(keys.value).map((key) => (
              <KeyRow
                key={key.id}
                apiKey={key}
                onRequests={() => show('requests', requestQueryOf({ key: key.id }))}
                onRename={() => setRenaming(key)}
                onReplace={() => setReplacing(key)}
                onRevoke={() => setRevoking(key)}
              />
            ))}
          </tbody>
        </table>
      )}
      {creating && (
        <CreateKey
          onClose={() => {
            setCreating(false);
            void keys.reload();
          }}
          onCreated={(key) => {
            setCreating(false);
            setCreated(key);
            void keys.reload();
          }}
        />
      )}
      {created && (
        <ShownOnce
          title="Your new key"
          label={`Key “${created.name}”`}
          value={created.key}
          note={`Send it as “Authorization: Bearer …”, from your ${created.type === 'secret' ? 'servers only' : 'shop or app'}.${
            created.replaced?.expires_at ? ` The old key expires: ${formatTime(created.replaced.expires_at)}.` : ''
          }`}
          onDone={() => {
            setCreated(undefined);
            createButton.current?.focus();
          }}
        />
      )}
      {replacing && (
        <ReplaceKey
          apiKey={replacing}
          onClose={() => {
            setReplacing(undefined);
            void keys.reload();
          }}
          onReplaced={(key) => {
            setReplacing(undefined);
            setCreated(key);
            void keys.reload();
          }}
        />
      )}
      {renaming && (
        <RenameKey
          apiKey={renaming}
          onClose={() => setRenaming(undefined)}
          onRenamed={async (name) => {
            setRenaming(undefined);
            await keys.reload();
            announce(`${renaming.name} is now ${name}.`);
          }}
        />
      )}
      {revoking && (
        <Confirm
          title={`Revoke ${revoking.name}?`}
          action="Revoke key"
          danger
          onConfirm={(change) => revoke(change, revoking)}
          onClose={() => setRevoking(undefined)}
        >
          <p>
            Whatever uses <code>{revoking.prefix}…</code> stops working at once. This cannot be undone.
          </p>
        </Confirm>
      )}
    </>
  );
};
