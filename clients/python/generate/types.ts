/** The parts of an OpenAPI document and of JSON Schema that the client's code is made from. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly description?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<'application/json', { readonly schema: Schema }>>;

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export const nameOf = (ref: string): string => ref.split('/').at(-1) ?? '';

const literal = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value));

const literals = (values: readonly unknown[]): string[] => {
  const named = values.filter((value) => value !== null);
  return [`Literal[${named.map(literal).join(', ')}]`, ...(named.length < values.length ? ['None'] : [])];
};

export interface Names {
  /** How a named schema is written. */
  readonly model: (name: string) => string;
  /** Type of an array: `list` in responses and bodies, `Sequence` in arguments. */
  readonly array: string;
  /** Type of an object with fields of its own and without a name. */
  readonly inline: (schema: Schema) => string;
}

const scalars: Readonly<Record<string, string>> = { string: 'str', number: 'float', integer: 'int', boolean: 'bool', null: 'None' };

/** The Python type of what a schema describes. */
export const typeOf = (schema: Schema, names: Names): string => {
  const alternatives = (schema: Schema): string[] => {
    if (schema.$ref) return [names.model(nameOf(schema.$ref))];
    if (schema.const !== undefined) return literals([schema.const]);
    if (schema.enum) return literals(schema.enum);
    const several = schema.anyOf ?? schema.oneOf;
    if (several) return several.flatMap(alternatives);
    return [schema.type ?? []].flat().map((type) => one(type, schema));
  };
  const one = (type: string, schema: Schema): string => {
    if (type === 'array') return `${names.array}[${typeOf(schema.items ?? {}, names)}]`;
    if (type !== 'object') return scalars[type] ?? 'Any';
    if (schema.properties) return names.inline(schema);
    return `dict[str, ${typeof schema.additionalProperties === 'object' ? typeOf(schema.additionalProperties, names) : 'Any'}]`;
  };
  return [...new Set(alternatives(schema))].join(' | ') || 'Any';
};

/** A docstring of lines up to 100 characters. */
export const docstring = (text: string, indent: string): string => {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, "'");
  const paragraphs = escaped.split('\n\n').map((paragraph) => {
    const lines = [''];
    for (const word of paragraph.split(/\s+/)) {
      const line = `${lines.at(-1)} ${word}`.trim();
      if (line.length > 96 - indent.length && lines.at(-1)) lines.push(word);
      else lines[lines.length - 1] = line;
    }
    return lines.join(`\n${indent}`);
  });
  const body = paragraphs.join(`\n\n${indent}`);
  return `${indent}"""${body}${body.includes('\n') ? `\n${indent}` : ''}"""\n`;
};
