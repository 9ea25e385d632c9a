import { type Document, docstring, type Schema, typeOf } from './types.ts';

const head = `"""The shapes of bodies, answers and events. Made from docs/openapi.json; \`npm run client\` writes them."""

from __future__ import annotations

import sys
from typing import Any, Literal, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired
`;

const pascal = (name: string): string => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * A TypedDict for every object of the document, and an alias for every choice between them; the
 * objects without a name come first.
 */
export const modelsOf = ({ components }: Document): string => {
  const classes: string[] = [];
  const aliases: string[] = [];

  const classOf = (name: string, { properties = {}, required = [], description }: Schema): void => {
    const fields = Object.entries(properties).map(([field, schema]) => {
      const type = typeOf(schema, {
        model: (name) => name,
        array: 'list',
        inline: (inner) => {
          classOf(`${name}${pascal(field)}`, inner);
          return `${name}${pascal(field)}`;
        },
      });
      const about = schema.description ? docstring(schema.description, '    ') : '';
      return `    ${field}: ${required.includes(field) ? type : `NotRequired[${type}]`}\n${about}`;
    });
    classes.push(`class ${name}(TypedDict):\n${description ? `${docstring(description, '    ')}\n` : ''}${fields.join('')}`);
  };

  const aliasOf = (name: string, schema: Schema): void => {
    // An alias is evaluated when the module loads, maybe before what it names: a string waits.
    const of = (one: Schema): string => typeOf(one, { model: (name) => `"${name}"`, array: 'list', inline: () => 'dict[str, Any]' });
    const forms = schema.oneOf ?? schema.anyOf;
    aliases.push(forms ? `${name} = Union[\n${forms.map((form) => `    ${of(form)},\n`).join('')}]\n` : `${name} = ${of(schema)}\n`);
  };

  for (const [name, schema] of Object.entries(components.schemas))
    if (schema.properties) classOf(name, schema);
    else aliasOf(name, schema);
  return [head, ...classes, ...aliases].join('\n\n');
};
