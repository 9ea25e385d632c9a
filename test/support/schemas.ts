import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Untyped JSON, which the functions below traverse. */
type Json = any;

export const openApi: Json = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));

/** The same schemas with every object closed: a member that is not documented is an error. */
const closed = (node: Json): Json => {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]));
  if (typeof copy.$ref === 'string') copy.$ref = copy.$ref.replace('#/components/schemas/', 'api#/$defs/');
  return copy.properties && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy;
};

let ajv: Ajv2020 | undefined;
const compiled = new Map<string, ValidateFunction>();

/** Returns the errors of a value by a schema of the document in its closed form. */
export const faultsOf = (schema: Json, value: unknown): readonly string[] => {
  if (!ajv) {
    // A test of the document checks the schemas themselves.
    const short = { validateSchema: false, code: { optimize: false } };
    ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true, discriminator: false, ...short });
    addFormats.default(ajv);
    // Stricter than the format: the service writes milliseconds and `Z`. The document has no
    // pattern for it.
    ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    for (const keyword of ['x-extensible-enum', 'discriminator', 'mapping']) ajv.addKeyword(keyword);
    ajv.addSchema({ $id: 'api', $defs: closed(openApi.components.schemas) });
  }
  const text = JSON.stringify(schema);
  const validate = compiled.get(text) ?? ajv.compile(closed(schema));
  compiled.set(text, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
};
