import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../../shared/core/errors.ts';
import { returnUrl } from '../../shared/domain/checkout/input.ts';
import { approveCard, type Counter, openCounter } from '../checkout-page/page.ts';
import { anyCharacter } from '../support/any-character.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { openShop, type Shop } from './shop.ts';

const world = shared(startWorld);
let shop: Shop;
beforeAll(async () => {
  shop = await openShop(world);
});

/** Returns the redirect URL of a paid session, and the page's link back. */
const ways = async (url: string): Promise<{ id: string; location: string | undefined; link: string | undefined }> => {
  const counter: Counter = await openCounter(world, { shop, fields: { success_url: url, cancel_url: url } });
  const link = /<a href="([^"]*)">Back to the shop/.exec((await counter.visit('GET', counter.path)).text)?.[1];
  return { id: counter.id, location: (await counter.pay(approveCard)).headers['Location'], link: link?.replaceAll('&amp;', '&') };
};

describe('stored return URLs', () => {
  test.each([
    [
      'letters outside ASCII in path and query',
      'https://shop.example.com/danke/größe?q=ä#ü',
      'https://shop.example.com/danke/gr%C3%B6%C3%9Fe?q=%C3%A4#%C3%BC',
    ],
    [
      'characters outside Latin-1',
      'https://shop.example.com/ありがとう',
      'https://shop.example.com/%E3%81%82%E3%82%8A%E3%81%8C%E3%81%A8%E3%81%86',
    ],
    ['a lone half of a character', 'https://shop.example.com/\ud800', 'https://shop.example.com/%EF%BF%BD'],
    ['a host outside ASCII', 'https://bäckerei.example/', 'https://xn--bckerei-5wa.example/'],
    ['no slashes', 'https:shop.example.com', 'https://shop.example.com/'],
    ['one slash', 'https:/shop.example.com/a', 'https://shop.example.com/a'],
    ['backslashes', 'https:\\\\shop.example.com\\a', 'https://shop.example.com/a'],
    ['capitals, and the port of the scheme', 'HTTPS://Shop.Example.COM:443/A', 'https://shop.example.com/A'],
    ['a port', 'https://shop.example.com:8443/', 'https://shop.example.com:8443/'],
    ['dots', 'https://shop.example.com/a/../b', 'https://shop.example.com/b'],
    ['line breaks and tabs', ' https://shop.exam\tple.com/a\r\nSet-Cookie: b ', 'https://shop.example.com/aSet-Cookie:%20b'],
    ['spaces and quotes', 'https://shop.example.com/a "b"?c d', 'https://shop.example.com/a%20%22b%22?c%20d'],
    ['what is encoded already', 'https://shop.example.com/%e4?%7B', 'https://shop.example.com/%e4?%7B'],
  ])('a return URL with %s is stored as the URL standard writes it', async (_, sent, stored) => {
    expect(await ways(sent)).toMatchObject({ location: stored, link: stored });
  });
});

describe('{CHECKOUT_SESSION_ID}', () => {
  const placeholder = '{CHECKOUT_SESSION_ID}';

  test.each([
    ['path', 'https://shop.example.com/thanks/{id}/'],
    ['query', 'https://shop.example.com/thanks?session={id}&again={id}'],
    ['fragment', 'https://shop.example.com/#/thanks/{id}'],
    ['path, query and fragment', 'https://shop.example.com/{id}?{id}#{id}'],
  ])("{CHECKOUT_SESSION_ID} becomes the session's id in the %s", async (_, template) => {
    const { id, location, link } = await ways(template.replaceAll('{id}', placeholder));
    expect(id).toMatch(/^cs_/);
    const filled = template.replaceAll('{id}', id);
    expect([location, link]).toEqual([filled, filled]);
  });

  test('{CHECKOUT_SESSION_ID} is not recognized in another spelling', async () => {
    const { location } = await ways('https://shop.example.com/?a=%7BCHECKOUT_SESSION_ID%7D&b={checkout_session_id}');
    expect(location).toBe('https://shop.example.com/?a=%7BCHECKOUT_SESSION_ID%7D&b={checkout_session_id}');
  });

  test.each([
    ['the host', `https://${placeholder}.example.com/`],
    ['the whole host', `https:${placeholder}`],
    ['the port', `https://shop.example.com:${placeholder}/`],
    ['the user', `https://${placeholder}@shop.example.com/`],
    ['the scheme', `${placeholder}://shop.example.com/`],
  ])('{CHECKOUT_SESSION_ID} is rejected in %s', async (_, url) => {
    for (const field of ['success_url', 'cancel_url']) {
      const { status, body } = await shop.open({ [field]: url });
      expect([status, body.error.code, body.error.field]).toEqual([400, 'invalid_value', field]);
    }
  });
});

describe('rejected return URLs', () => {
  const room = 2_048 - 'https://a.example.com/'.length;
  test.each([
    ['over 2,048 characters', `https://a.example.com/${'a'.repeat(room + 1)}`],
    ['over 2,048 characters as it is kept', `https://a.example.com/${'ä'.repeat(room / 6 + 1)}`],
    ['with a name', 'https://ada@shop.example.com/'],
    ['with a password', 'https://:secret@shop.example.com/'],
    ['with credentials behind backslashes', 'https:\\\\a:b@shop.example.com/'],
    ['without a host', 'https://'],
    ['with an invalid host', 'https://exa<mple.com/'],
    ['with an invalid port', 'https://shop.example.com:99999/'],
    ['relative', '/thanks'],
    ['without a scheme', '//shop.example.com/thanks'],
    ['of another scheme', 'data:text/html,hi'],
    ['of a script in disguise', 'java\nscript:alert(1)'],
  ])('a return URL is rejected %s', async (_, url) => {
    const { status, body } = await shop.open({ success_url: url });
    expect([status, body.error.code, body.error.field]).toEqual([400, 'invalid_value', 'success_url']);
  });

  test('a return URL of the maximum length is accepted', async () => {
    expect((await shop.open({ success_url: `https://a.example.com/${'a'.repeat(room)}` })).status).toBe(201);
  });
});

test('every accepted return URL is an absolute HTTPS URL that is valid in a header', () => {
  const spelling = fc.oneof(
    fc.webUrl(),
    fc.string({ unit: anyCharacter }),
    fc.constantFrom('{CHECKOUT_SESSION_ID}', 'https:', '//', '\\', '@', ':', '?', '#'),
  );
  return fc.assert(
    fc.property(fc.array(spelling, { maxLength: 6 }), (parts) => {
      let accepted: string;
      try {
        accepted = returnUrl(`https:${parts.join('')}`, { field: 'success_url', sessionId: 'cs_0', allowLoopback: false });
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
        return;
      }
      expect(accepted).toMatch(/^https:\/\/[!-~]+$/);
      const { href, username, password, host } = new URL(accepted);
      expect([href, username, password]).toEqual([accepted, '', '']);
      expect(host).not.toContain('cs_0');
    }),
  );
});
