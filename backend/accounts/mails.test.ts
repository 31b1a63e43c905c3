// Texts of mails and the links in them: no name or address becomes markup, and everything is also
// in the plain text.
import { describe, expect, test } from 'vitest'
import { addSecret } from '../mail-links/one-time-tokens.ts'
import {
  emailChangedMail,
  magicUrlMail,
  recoveryMail,
  testMail,
  verificationMail,
} from './mails.ts'

const SITE = {
  siteName: `Lamps <b>&</b> "Co"`,
  publicUrl: 'https://blog.example:8443',
  accent: '#f6dc8f',
  logo: '',
}
const TO = 'alice@example.test'
const URL_WITH_QUERY = `https://blog.example:8443/x?a=1&b='2'`

const MAILS = [
  { name: 'recovery', mail: recoveryMail(SITE, { to: TO, url: URL_WITH_QUERY }), hasLink: true },
  {
    name: 'verification',
    mail: verificationMail(SITE, { to: TO, url: URL_WITH_QUERY }),
    hasLink: true,
  },
  {
    name: 'sign-in link',
    mail: magicUrlMail(SITE, { to: TO, url: URL_WITH_QUERY, revokesOtherSignIns: true }),
    hasLink: true,
  },
  { name: 'changed email', mail: emailChangedMail(SITE, { to: TO }), hasLink: false },
  { name: 'test', mail: testMail(SITE, { to: TO }), hasLink: false },
]

describe.each(MAILS)('the mail of $name', ({ mail, hasLink }) => {
  test('goes to one address and names the site', () => {
    expect(mail.to).toBe(TO)
    expect(mail.subject.endsWith(` – ${SITE.siteName}`)).toBe(true)
    expect(mail.text.endsWith(`\n\n-- \n${SITE.siteName}, blog.example:8443\n`)).toBe(true)
  })

  test('has no image, script or style sheet, and the site’s name stays plain text', () => {
    expect(mail.html).not.toMatch(/<img|<script|<style|<link|<b>|src=|url\(/)
    expect(mail.html).toContain('Lamps &lt;b&gt;&amp;&lt;/b&gt; &quot;Co&quot;')
  })

  test('has the colours of the blog, and every text is readable', () => {
    const colors = [...mail.html.matchAll(/(?:^|[;"])(color|background):(#[\da-f]{6})/g)]
    const grounds = colors.filter(([, kind]) => kind === 'background').map(([, , color]) => color)
    expect(grounds.slice(0, 2)).toEqual(['#f6fafa', '#ffffff'])
    for (const [, kind, color] of colors) {
      if (kind !== 'color') continue
      const on = color === '#fdfcf7' ? '#0b5764' : '#ffffff'
      expect(contrast(color ?? '', on), `${color} on ${on}`).toBeGreaterThan(7)
    }
  })

  test('has the same text and link in both parts', () => {
    const plainOf = (html: string) =>
      html
        .replace(/<title>.*<\/title>/, '')
        .replaceAll(/<[^>]*>/g, '\n')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&')
    const said = plainOf(mail.html)
    const sentences = mail.text.split('\n').filter((line) => line.trim() !== '' && line !== '-- ')
    expect(sentences.filter((line) => !said.includes(line))).toEqual([])
    expect([...mail.text.matchAll(/https?:\S+/g)].map(([link]) => link)).toEqual(
      hasLink ? [URL_WITH_QUERY] : [],
    )
    expect(mail.html.match(/href="[^"]*"/g) ?? []).toEqual(
      hasLink
        ? Array(2).fill(`href="${URL_WITH_QUERY.replace('&', '&amp;').replaceAll("'", '&#39;')}"`)
        : [],
    )
  })
})

/** WCAG 2.2 "contrast ratio". */
function contrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [one, other].map(luminance).toSorted((a, b) => b - a)
  return (bright + 0.05) / (dim + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test('only a link that revokes other ways to sign in says so', () => {
  const sent = { to: TO, url: URL_WITH_QUERY }
  const [plain, warned] = [false, true].map((revokesOtherSignIns) =>
    magicUrlMail(SITE, { ...sent, revokesOtherSignIns }).text.includes(
      'removes every other way to sign in',
    ),
  )
  expect([plain, warned]).toEqual([false, true])
})

describe('a secret in a link', () => {
  const token = { userId: 'u1', expiresAt: '2023-11-20T14:37:00.123Z' }

  test.each([
    {
      url: 'http://localhost:3000/verifyUserEmailLink',
      link: '/verifyUserEmailLink?userId=u1&secret=9f&expire=2023-11-20+14%3A37%3A00.123',
    },
    {
      url: 'http://localhost:3000',
      link: '/?userId=u1&secret=9f&expire=2023-11-20+14%3A37%3A00.123',
    },
    {
      url: 'http://localhost:3000/a?b=c&b=d#e',
      link: '/a?b=c&b=d&userId=u1&secret=9f&expire=2023-11-20+14%3A37%3A00.123#e',
    },
    {
      url: 'http://localhost:3000/a?secret=x&userId=y&secret=z',
      link: '/a?secret=9f&userId=u1&expire=2023-11-20+14%3A37%3A00.123',
    },
  ])('$url becomes $link', ({ url, link }) => {
    expect(addSecret(url, { token, secret: '9f' })).toBe(`http://localhost:3000${link}`)
  })

  test('a sign-in link spells the expiry in full and names the project', () => {
    const link = new URL(
      addSecret('http://localhost:3000/auth/magic-url', { token, secret: '9f' }, 'blog'),
    )
    expect([...link.searchParams]).toEqual([
      ['userId', 'u1'],
      ['secret', '9f'],
      ['expire', '2023-11-20T14:37:00.123+00:00'],
      ['project', 'blog'],
    ])
  })
})
