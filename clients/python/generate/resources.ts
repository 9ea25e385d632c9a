import { methodOf as clientMethodOf, repeatableOf, snake } from '../../methods.ts';
import { type Document, docstring, nameOf, type Operation, type Schema, typeOf } from './types.ts';

interface Method {
  readonly resource: string;
  readonly name: string;
  readonly verb: string;
  readonly path: string;
  readonly operation: Operation;
  readonly repeatable: 'freely' | 'keyed' | 'never';
}

/** The methods by the document: as in the client for TypeScript, in Python's spelling. */
export const methodsOf = ({ paths }: Document): readonly Method[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([verb]) => verb !== 'parameters')
      .map(([verb, operation]) => {
        const [resource, name] = clientMethodOf({ ...operation, path });
        return { resource, name: snake(name), verb: verb.toUpperCase(), path, operation, repeatable: repeatableOf({ ...operation, verb }) };
      }),
  );

type Kind = 'sync' | 'async';

const names = { model: (name: string) => `models.${name}`, array: 'Sequence', inline: () => 'dict[str, Any]' };
const keywords = new Set(['from', 'import', 'class', 'global', 'in', 'is']);
const argumentOf = (name: string): string => (keywords.has(name) ? `${name}_` : name);

const resultOf = ({ operation: { responses } }: Method): string => {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return nameOf(success?.content['application/json'].schema.$ref ?? '');
};

const itemOf = (result: string, { components }: Document): string | undefined => {
  const { pagination, data } = components.schemas[result]?.properties ?? {};
  return pagination ? nameOf(data?.items?.$ref ?? '') : undefined;
};

/** One method as source: its arguments, its docstring, and the request that it makes. */
const methodOf = (method: Method, kind: Kind, each: string | undefined): string => {
  const { name, verb, path, operation, repeatable } = method;
  const query = (operation.parameters ?? []).filter(({ $ref }) => !$ref);
  const body: Schema | undefined = operation.requestBody?.content['application/json'].schema;
  const result = resultOf(method);
  const positional = [...(path.includes('{id}') ? ['id: str'] : []), ...(body ? [`body: ${typeOf(body, names)}`] : [])];
  const named = [
    ...query.map(({ name, schema }) => `${argumentOf(name)}: ${typeOf(schema, names)} | None = None`),
    ...(repeatable === 'keyed' ? ['idempotency_key: str | None = None'] : []),
    'timeout: float | None = None',
    'max_retries: int | None = None',
  ];
  const list = ['self', ...positional, '*', ...named].map((argument) => `        ${argument},\n`).join('');
  const parts = [
    `"${verb}"`,
    `"${path}"`,
    `"${repeatable}"`,
    ...(path.includes('{id}') ? ['id=id'] : []),
    ...(query.length > 0 ? [`query={${query.map(({ name }) => `"${name}": ${argumentOf(name)}`).join(', ')}}`] : []),
    ...(body ? ['body=body'] : []),
    ...(repeatable === 'keyed' ? ['idempotency_key=idempotency_key'] : []),
    'timeout=timeout',
    'max_retries=max_retries',
  ];
  // A list is given as one; that it travels with commas is the transport's business.
  const about = query.map(({ name, description = '' }) => `\`${argumentOf(name)}\`: ${description.replace(', separated by commas', '')}`);
  const request = `Request[models.${result}](\n${parts.map((part) => `            ${part},\n`).join('')}        )`;
  const asynchronous = kind === 'async';
  const returns = each ? `${asynchronous ? 'AsyncIterator' : 'Iterator'}[models.${each}]` : `models.${result}`;
  const call = each ? `return self._client._each(request)` : `return ${asynchronous ? 'await ' : ''}self._client._send(request)`;
  return (
    `    ${asynchronous && !each ? 'async ' : ''}def ${each ? name.replace('list', 'list_all') : name}(\n${list}    ) -> ${returns}:\n` +
    docstring([`${operation.summary}${each ? ', page after page' : ''}.`, operation.description, ...about].join('\n\n'), '        ') +
    `        request = ${request}\n        ${call}\n`
  );
};

const head = (kind: Kind): string => `"""The operations by resource. Made from docs/openapi.json; \`npm run client\` writes them."""

from __future__ import annotations

from collections.abc import ${kind === 'async' ? 'AsyncIterator' : 'Iterator'}, Sequence
from typing import TYPE_CHECKING, Literal

from .._core import Request
from . import models

if TYPE_CHECKING:
    from .._client import ${kind === 'async' ? 'AsyncBakeryCommerce' : 'BakeryCommerce'}
`;

/**
 * A class for every resource, and one that holds them; of both kinds alike, but for what is
 * awaited.
 */
export const resourcesOf = (document: Document, methods: readonly Method[], kind: Kind): string => {
  const prefix = kind === 'async' ? 'Async' : '';
  const client = `${prefix}BakeryCommerce`;
  const className = (resource: string) => `${prefix}${resource[0]?.toUpperCase()}${resource.slice(1)}`;
  const order = [...new Set(methods.map(({ resource }) => resource))];
  const classes = order.map((resource) => {
    const own = methods.filter((method) => method.resource === resource);
    const about = document.tags.find(({ name }) => name === own[0]?.operation.tags[0])?.description ?? '';
    const bodies = own.flatMap((method) => {
      const item = itemOf(resultOf(method), document);
      return [methodOf(method, kind, undefined), ...(item ? [methodOf(method, kind, item)] : [])];
    });
    return (
      `class ${className(resource)}:\n${docstring(about, '    ')}\n` +
      `    def __init__(self, client: ${client}) -> None:\n        self._client = client\n\n${bodies.join('\n')}`
    );
  });
  const all =
    `class ${prefix}Resources:\n    """Every resource of one client."""\n\n    def __init__(self, client: ${client}) -> None:\n` +
    order.map((resource) => `        self.${resource} = ${className(resource)}(client)\n`).join('');
  return [head(kind), ...classes, all].join('\n\n');
};
