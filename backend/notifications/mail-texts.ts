// The text of notification mails. Names, titles and words of members are text in them, and no link.
import { type MailKind, type Notification, UNSUBSCRIBE_PATH } from '#contract/notifications.ts'
import { composeMail, type MailParts } from '../accounts/mails.ts'
import type { Mail } from '../mail/mailer.ts'
import type { SiteSnapshot } from '../site/site.ts'

type MailContent = { to: string; kind: MailKind; notifications: Notification[]; secret: string }

const SUBJECTS: Record<MailKind, string> = {
  replies: 'Replies to your comments',
  comments: 'Comments on your posts',
  likes: 'Likes of your posts',
  own: 'News about what you wrote',
  reports: 'Reports and comments to review',
}

/** As the page that ends them says it. */
const STOPS: Record<MailKind, string> = {
  replies: 'No more emails about replies',
  comments: 'No more emails about comments',
  likes: 'No more emails about likes',
  own: 'No more emails about what you wrote',
  reports: 'No more emails about reports',
}

export function notificationMail(
  site: SiteSnapshot,
  { to, kind, notifications, secret }: MailContent,
): Mail {
  const query = `?secret=${encodeURIComponent(secret)}`
  return composeMail(site, to, {
    kind: 'notifications',
    subject: SUBJECTS[kind],
    before: notifications.length === 1 ? 'This is new:' : `These ${notifications.length} are new:`,
    items: notifications.map((notification) => itemOf(site, notification)),
    after: [],
    unsubscribe: {
      label: STOPS[kind],
      url: site.publicUrl + UNSUBSCRIBE_PATH + query,
      oneClickUrl: `${site.publicUrl}/v1${UNSUBSCRIBE_PATH}${query}`,
    },
  })
}

type Item = NonNullable<MailParts['items']>[number]

function itemOf({ publicUrl }: SiteSnapshot, notification: Notification): Item {
  const path = pathOf(notification)
  return {
    text: sentenceOf(notification),
    quote: unlinked(notification.text),
    url: path && publicUrl + path,
  }
}

function pathOf({ kind, caseId, post, commentId }: Notification): string {
  if (kind === 'invitationAccepted') return '/admin/people'
  if (caseId || kind === 'approvalNeeded') return '/admin/queue'
  if (!post) return ''
  return commentId ? `/post/${post.$id}?comment=${commentId}#c-${commentId}` : `/post/${post.$id}`
}

function sentenceOf({ kind, people, count, post, commentId, reason }: Notification): string {
  const who = namesOf(people)
  const on = post ? `“${shown(post.title)}”` : ''
  const because = reason ? ` (${unlinked(reason)})` : ''
  switch (kind) {
    case 'comment':
      return `${who} commented on ${on}`
    case 'reply':
      return `${who} replied to your comment on ${on}`
    case 'like':
      return `${who} ${people.total > 1 ? 'like' : 'likes'} ${on}`
    case 'commentHidden':
      return `Your comment was hidden under ${on}${because}`
    case 'postHidden':
      return `Your post was hidden: ${on}${because}`
    case 'commentApproved':
      return `Your comment was approved under ${on}`
    case 'reportReviewed':
      return `What you reported was reviewed: ${on}`
    case 'invitationAccepted':
      return `${who} accepted your invitation`
    case 'reported':
      return `${commentId ? 'A comment was reported under' : 'A post was reported:'} ${on}`
    case 'approvalNeeded':
      return `${count === 1 ? 'A comment needs' : `${count} comments need`} approval under ${on}`
  }
}

function namesOf({ total, newest: [first, second] }: Notification['people']): string {
  if (!first) return total > 1 ? `${total} people` : 'Somebody'
  const others = total - (second ? 2 : 1)
  const more = others === 0 ? '' : others === 1 ? '1 other' : `${others} others`
  const all = [shown(first.name), second ? shown(second.name) : '', more].filter(Boolean)
  const last = all.pop() ?? ''
  return all.length > 0 ? `${all.join(', ')} and ${last}` : last
}

const TURNS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu

/** One line that does not change the direction of what is around it. */
function shown(text: string): string {
  return `\u2068${unlinked(text.replace(/\s+/gu, ' ').replace(TURNS, ''))}\u2069`
}

/** Mail programs make links of what looks like one: a mark that nobody sees keeps them from it. */
function unlinked(text: string): string {
  return text.replace(/[.:@/](?=[^\s])/gu, '$&\u2060')
}
