// English texts. Publishing a post, now or at a time.
import type { ReactNode } from 'react'

export const publishing = {
  publishing: {
    title: 'Publish',
    when: 'When',
    now: 'Now',
    later: 'At a time',
    audience: 'Who can see it',
    audiences: {
      everyone: { name: 'Everyone', hint: 'It shows in the list, the feeds and the search.' },
      members: { name: 'Members', hint: 'It shows in the list and the search.' },
      author: { name: 'Only you', hint: 'It stays inactive, under “Drafts”.' },
    },
    pageAudiences: {
      everyone: { name: 'Everyone', hint: 'It gets its address, and shows in the search.' },
      operators: { name: 'Only operators', hint: 'It stays inactive, under “Pages”.' },
    },
    fields: {
      excerpt: 'Excerpt',
      excerptHint:
        'Shows on cards, in feeds and in search results. Empty: the beginning of the text.',
      metaTitle: 'Title for search engines',
      metaDescription: 'Description for search engines',
      canonicalUrl: 'Address of the original',
      canonicalUrlHint: 'If the text was first published elsewhere.',
    },
    count: (chars: number, max: number) => `${chars} of ${max}`,
    tooLong: (max: number, tooMany: number) =>
      `This can have ${max} characters at most. Take out ${tooMany}.`,
    notAnAddress: 'An address begins with https:// or http://.',
    addressWords: 'Words in the address',
    addressStart: '/post/…/',
    addressHint: 'Old addresses keep working.',
    shared: 'How it looks when shared',
    drawn: 'There is no picture: the cover is drawn from the title.',
    comments: { name: 'Comments', hint: 'People with an account can write under the post.' },
    searchEngines: 'For search engines',
    verbs: {
      now: 'Publish now',
      later: (time: string) => `Schedule for ${time}`,
      author: 'Save as inactive',
      update: 'Update',
    },
    noTime: 'Choose a day and a time.',
    tooLate: 'Choose a time within the next five years.',
    past: 'This time has passed. Choose a later one, or publish now.',
    details: 'One of the fields above needs a look first.',
  },
  publishTime: {
    when: {
      day: 'Day',
      clock: 'Time',
      zone: ({ place, offset }: { place: string; offset: string }) =>
        place === offset ? `In your time, ${place}.` : `In your time, ${place} (${offset}).`,
      until: (span: Span) => `That is in ${spanText(span)}.`,
      past: 'This time has passed. Choose a later one, or publish now.',
      skipped: (clock: string, movedTo: string) =>
        `The clocks go forward that night: ${clock} does not exist. It will be ${movedTo}.`,
      repeated: (clock: string) =>
        `The clocks go back that night: ${clock} comes twice. It will be the first one.`,
    },
  },
  shareCard: {
    label: (title: string, author: string) => `Share card: ${title}, by ${author}`,
  },
  /** Lists, lines and messages about a post that turns active at a time. */
  scheduled: {
    title: 'Scheduled',
    chip: 'scheduled',
    time: (day: string, clock: string) => `${day}, ${clock}`,
    today: (time: string) => `today, ${time}`,
    tomorrow: (time: string) => `tomorrow, ${time}`,
    audiences: {
      everyone: (time: ReactNode) => <>{time}, for everyone</>,
      members: (time: ReactNode) => <>{time}, for members</>,
    },
    problems: {
      imageMissing: (time: ReactNode) => <>not published at {time}: the picture is missing</>,
      authorMayNotWrite: (time: ReactNode) => <>not published at {time}</>,
    },
    change: 'Change',
    changeNamed: (title: string) => `Change the time of ${title}`,
    cancelNamed: (title: string) => `Cancel the schedule of ${title}`,
    cancelled: (title: string) => `“${title}” is a draft again.`,
    undo: 'Undo',
    alreadyPublished: 'The post was published meanwhile.',
    notCancelled: 'The schedule could not be changed. Try again.',
  },
  scheduleLine: {
    pending: (time: string) => `Turns active on ${time}.`,
    links: (change: ReactNode, cancel: ReactNode) => (
      <>
        {change} or {cancel}
      </>
    ),
    change: 'Change',
    cancel: 'cancel',
    due: (minutes: number, savedAt: string) =>
      `It is published in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}, as last saved at ${savedAt}. Press Update for anything you write after that.`,
    problems: {
      imageMissing: (time: string) =>
        `Not published at ${time}: the picture is missing. It stays scheduled until you add one or cancel.`,
      authorMayNotWrite: (time: string) =>
        `Not published at ${time}: you may not publish at the moment. It stays scheduled until you cancel.`,
    },
    published: (time: string) =>
      `It was published at ${time}. Press Update for anything you write from now on.`,
  },
  published: {
    title: 'Published',
    scheduledTitle: (time: string) => `Scheduled for ${time}`,
    lead: {
      everyone: (title: ReactNode, isNewest: boolean) => (
        <>
          {title} is {placeText(isNewest)}. Everyone can read it.
        </>
      ),
      members: (title: ReactNode, isNewest: boolean) => (
        <>
          {title} is {placeText(isNewest)} for members. Whoever has the link can read it.
        </>
      ),
      scheduled: (title: ReactNode) => <>{title} is published then. Until then it is a draft.</>,
      inactive: (title: ReactNode) => <>{title} is a draft. Only you can see it.</>,
    },
    address: 'Address',
    saveCard: 'Save the card',
    read: 'Read the post',
    everywhere: 'Feeds, the sitemap and the search have it, too.',
  },
}

function placeText(isNewest: boolean): string {
  return isNewest ? 'at the top of the list' : 'in the list'
}

type Span = { days: number; hours: number; minutes: number }

/** "16 hours and 58 minutes"; minutes only within a day. */
function spanText({ days, hours, minutes }: Span): string {
  const units = [
    [days, 'day'],
    [hours, 'hour'],
    [days > 0 ? 0 : minutes, 'minute'],
  ] as const
  const parts = units
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${count === 1 ? unit : `${unit}s`}`)
  return parts.join(' and ')
}
