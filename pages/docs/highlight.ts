import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import csharp from 'highlight.js/lib/languages/csharp';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import typescript from 'highlight.js/lib/languages/typescript';
import { type Html, html, trusted } from '../../shared/core/html.ts';

const grammars = { bash, csharp, go, http, java, json, php, python, ruby, ts: typescript };
for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar);

/** Marks up tokens of code with classes that the stylesheet colors. */
export const highlight = (text: string, language: string): Html => {
  const name = language === 'js' ? 'ts' : language;
  return hljs.getLanguage(name) ? trusted(hljs.highlight(text, { language: name }).value) : html`${text}`;
};
