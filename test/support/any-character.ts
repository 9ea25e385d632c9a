import fc from 'fast-check';

const surrogates = 0x800;

/**
 * Any code point except half surrogates, like fast-check's unit `binary`. That unit first makes a
 * table of a million characters, which takes longer than most properties that use it.
 */
export const anyCharacter = fc.nat({ max: 0x10_ffff - surrogates }).map((n) => String.fromCodePoint(n < 0xd800 ? n : n + surrogates));
