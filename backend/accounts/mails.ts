// The texts of mails, as plain text and as HTML. The HTML has no scripts, and no image but the
// logo; it also shows each link as text. Mails contain no names of users, so that nobody can make
// this server send their words to strangers. Exceptions: the operator's name in an invitation, and
// notifications, which go to members only (notifications/mail-texts.ts).
import { accentForTheme } from '#contract/accent.ts'
import type { OutboxMailKind } from '#contract/operator.ts'
import { escapeHtml } from '#contract/plain-text.ts'
import { logoPath } from '#contract/site-settings.ts'
import type { Mail } from '../mail/mailer.ts'

/** A mail with a link. `tokenId` is the id of the token or invitation that the link opens. */
type LinkMailOptions = { to: string; url: string; tokenId?: string }

/** The blog as the sender of a mail. */
export type MailSite = { siteName: string; publicUrl: string; accent: string; logo: string }

export type MailParts = {
  kind: OutboxMailKind
  tokenId?: string | undefined
  subject: string
  /** The heading in the HTML. Without it, the subject: then its line ends with the site's name. */
  heading?: string
  before: string
  /** `hint` is a sentence above the full URL. */
  link?: { label: string; url: string; hint?: string }
  /** Notifications; `quote` is text that somebody wrote. */
  items?: { text: string; quote: string; url: string }[]
  /** Further paragraphs; empty ones are left out. */
  after: string[]
  /** The link at the end of such mails; mail programs call `oneClickUrl` themselves. */
  unsubscribe?: { label: string; url: string; oneClickUrl: string }
}

export function recoveryMail(site: MailSite, { to, url, tokenId }: LinkMailOptions): Mail {
  return composeMail(site, to, {
    kind: 'recovery',
    tokenId,
    subject: 'Set a new password',
    before:
      'Somebody asked to set a new password for your account. To do so, open this address within one hour:',
    link: { label: 'Set a new password', url },
    after: [
      'You are then signed out everywhere, and the new password is the only way in: a Google account that was linked is linked no more.',
      'If it was not you, do nothing: your password stays as it is.',
    ],
  })
}

export function verificationMail(site: MailSite, { to, url, tokenId }: LinkMailOptions): Mail {
  return composeMail(site, to, {
    kind: 'verification',
    tokenId,
    subject: 'Confirm your email address',
    before:
      'To confirm that this is the email address of your account, open this address within one hour:',
    link: { label: 'Confirm the email address', url },
    after: ['If you have no account there, do nothing.'],
  })
}

/**
 * @param options `revokesOtherSignIns` is true when the address was never verified but the account
 *   has a password or an identity: signing in revokes these
 */
export function magicUrlMail(
  site: MailSite,
  { to, url, tokenId, revokesOtherSignIns }: LinkMailOptions & { revokesOtherSignIns: boolean },
): Mail {
  return composeMail(site, to, {
    kind: 'signIn',
    tokenId,
    subject: 'Your sign-in link',
    before: 'To sign in, open this address within ten minutes. It works once.',
    link: { label: 'Sign in', url },
    after: afterSignIn(revokesOtherSignIns),
  })
}

/**
 * The code is in the text and not in the subject, because locked screens show subjects.
 *
 * @param options `phrase` is for the user to compare with the page, or empty; for
 *   `revokesOtherSignIns` see {@link magicUrlMail}
 */
export function emailCodeMail(
  site: MailSite,
  options: {
    to: string
    code: string
    tokenId?: string
    phrase: string
    revokesOtherSignIns: boolean
  },
): Mail {
  const { to, code, tokenId, phrase, revokesOtherSignIns } = options
  return composeMail(site, to, {
    kind: 'code',
    tokenId,
    subject: 'Your sign-in code',
    before: `To sign in, type this code within ten minutes. It works once: ${code}`,
    after: [
      'Give it to nobody: whoever has it can sign in as you.',
      phrase && `The page where you asked shows two words. Continue only if they are: ${phrase}`,
      ...afterSignIn(revokesOtherSignIns),
    ],
  })
}

function afterSignIn(revokesOtherSignIns: boolean): string[] {
  const warning =
    'The address of your account was never confirmed. Signing in confirms it, signs out everybody else and removes every other way to sign in.'
  return [revokesOtherSignIns ? warning : '', 'If you did not ask for it, do nothing.']
}

/** Sent to the old address. */
export function emailChangedMail(site: MailSite, { to }: { to: string }): Mail {
  return composeMail(site, to, {
    kind: 'other',
    subject: 'The email address of your account was changed',
    before: 'Your account now has another email address; this one is not used for it any more.',
    after: ['If it was not you, somebody else is in your account: write to an operator.'],
  })
}

/** @param options `name` is the inviter's name, which may be empty */
export function invitationMail(
  site: MailSite,
  { to, url, tokenId, name, expiresAt }: LinkMailOptions & { name: string; expiresAt: string },
): Mail {
  const inviter = name || 'An operator'
  return composeMail(site, to, {
    kind: 'invitation',
    tokenId,
    subject: `${inviter} invites you to ${site.siteName}`,
    heading: 'There is a chair for you',
    before: `${inviter} has made room for you at ${site.siteName}. Choose a name and a password, and you can begin.`,
    link: {
      label: 'Accept the invitation',
      url,
      hint: `The link works once, until ${dayOf(expiresAt)}. If the button does nothing, copy this address:`,
    },
    after: [
      `You do not know ${name || 'the operator'}? Then do nothing: without you no account is made.`,
    ],
  })
}

/** Such as `30 Nov 2025`. */
function dayOf(time: string): string {
  return new Date(time).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
}

/** What `npm run mail:test` sends. */
export function testMail(site: MailSite, { to }: { to: string }): Mail {
  return composeMail(site, to, {
    kind: 'other',
    subject: 'Mail works',
    before: 'This mail was sent to see whether mail arrives. It does.',
    after: [],
  })
}

// The colours of the light theme; mail programs darken them for dark mode themselves.
const SANS = "font-family:Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const SERIF = 'font-family:Literata,Georgia,serif'
const QUIET = 'color:#3f5459;font-size:14px;line-height:1.5'

/** The default logo: a tile, a light, a bar. Drawn in HTML, so that mails load no image for it. */
const MARK =
  `<div style="width:32px;height:32px;margin:0 0 20px;border-radius:9px;background:#11444f" aria-hidden="true">` +
  `<div style="height:6px;line-height:6px">&nbsp;</div>` +
  `<div style="width:13px;height:13px;margin:0 0 0 8px;border-radius:0 0 13px 0;background:#f3e4b8"></div>` +
  `<div style="width:16px;height:4px;margin:3px 0 0 8px;border-radius:2px;background:#f3e4b8"></div></div>`

function markOf({ publicUrl, logo }: MailSite): string {
  if (logo === '') return MARK
  return `<img src="${publicUrl}${logoPath(logo, 64)}" width="32" height="32" alt="" style="display:block;margin:0 0 20px;border-radius:9px">`
}

/** @returns the mail; without a heading, its subject ends with the name of the site */
export function composeMail(site: MailSite, to: string, content: MailParts): Mail {
  const { siteName, publicUrl } = site
  const { kind, tokenId, subject, heading, before, link, items = [], after, unsubscribe } = content
  const accent = accentForTheme('light', site.accent)
  const sender = `${siteName}, ${new URL(publicUrl).host}`
  const itemTexts = items.map(({ text, quote, url }) =>
    [text, quote && `> ${quote.replaceAll('\n', '\n> ')}`, url].filter(Boolean).join('\n'),
  )
  const unsubscribeLine = unsubscribe && `${unsubscribe.label}: ${unsubscribe.url}`
  const parts = [
    'Hello,',
    before,
    link?.hint,
    ...itemTexts,
    link?.url,
    ...after,
    unsubscribeLine,
    `-- \n${sender}`,
  ]
  const text = parts.filter(Boolean).join('\n\n')
  const paragraph = (text: string, style = ''): string =>
    `<p style="margin:0 0 16px;${style}">${escapeHtml(text)}</p>`
  const button = ({ label, url, hint }: NonNullable<MailParts['link']>): string =>
    `<p style="margin:0 0 20px"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;border-radius:12px;background:${accent.accent};` +
    `color:${accent.on};text-decoration:none;font-weight:600;font-size:15px">${escapeHtml(label)}</a></p>` +
    (hint ? paragraph(hint, QUIET) : '') +
    `<p style="margin:0 0 16px;font:13px/1.5 ui-monospace,Menlo,Consolas,monospace;word-break:break-all"><a href="${escapeHtml(url)}" style="color:${accent.accent}">${escapeHtml(url)}</a></p>`
  const html = [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="margin:0;padding:24px 12px;background:#f6fafa;color:#0e242a;font-size:16px;line-height:1.6;${SANS}">`,
    `<div style="max-width:560px;margin:0 auto;padding:32px;border:1px solid #d5e0e2;border-radius:20px;background:#ffffff">`,
    markOf(site),
    `<h1 style="margin:0 0 16px;font-size:26px;line-height:1.25;font-weight:600;${SERIF}">${escapeHtml(heading ?? subject)}</h1>`,
    paragraph('Hello,'),
    paragraph(before),
    ...items.map((part) => item(part, accent.accent)),
    ...(link ? [button(link)] : []),
    ...after.filter(Boolean).map((text) => paragraph(text, QUIET)),
    `<p style="margin:24px 0 0;padding:16px 0 0;border-top:1px solid #d5e0e2;color:#3f5459;font-size:13px">${escapeHtml(sender)}${
      unsubscribe
        ? `<br><a href="${escapeHtml(unsubscribe.url)}" style="color:${accent.accent}">${escapeHtml(unsubscribe.label)}</a>`
        : ''
    }</p>`,
    '</div></body></html>',
  ].join('\n')
  const subjectLine = heading ? subject : `${subject} – ${siteName}`
  const mail: Mail = { to, kind, subject: subjectLine, text: `${text}\n`, html }
  if (tokenId !== undefined) mail.tokenId = tokenId
  if (unsubscribe) mail.unsubscribeUrl = unsubscribe.oneClickUrl
  return mail
}

function item(
  { text, quote, url }: NonNullable<MailParts['items']>[number],
  color: string,
): string {
  const escaped = escapeHtml(text)
  const textHtml = url
    ? `<a href="${escapeHtml(url)}" style="color:${color}">${escaped}</a>`
    : escaped
  const quoteHtml = quote
    ? `<br><span style="white-space:pre-line;${QUIET}">${escapeHtml(quote)}</span>`
    : ''
  return `<p dir="auto" style="margin:0 0 16px">${textHtml}${quoteHtml}</p>`
}
