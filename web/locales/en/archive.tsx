// English texts. Importing posts from elsewhere, and exporting them.
import type { ReactNode } from 'react'
import type {
  ExportPart,
  ImportCounts,
  ImportIssue,
  ImportProgress,
  IssueReason,
  SourceKind,
} from '#contract/archive.ts'

const numbers = new Intl.NumberFormat('en')
const number = (count: number): string => numbers.format(count)

/** "one post", "1,480 posts" */
function countOf(count: number, one: string, many: string): string {
  return count === 1 ? `1 ${one}` : `${number(count)} ${many}`
}

const posts = (count: number): string => countOf(count, 'post', 'posts')
const people = (count: number): string => countOf(count, 'person', 'people')

const KINDS: Record<SourceKind, string> = {
  wordpress: 'WordPress',
  ghost: 'Ghost',
  medium: 'Medium',
  substack: 'Substack',
  markdown: 'Markdown',
  api: 'hosted API',
  archive: 'Lamplight',
}

/** "a Ghost export", "an export of the hosted API", "a folder of Markdown files" */
const EXPORTS: Record<SourceKind, string> = {
  wordpress: 'a WordPress export',
  ghost: 'a Ghost export',
  medium: 'a Medium export',
  substack: 'a Substack export',
  markdown: 'Markdown',
  api: 'a project of the hosted API',
  archive: 'an export of Lamplight',
}

/** "About 6 minutes left.", from a number of seconds. */
function timeLeft(seconds: number): string {
  if (seconds < 50) return 'Less than a minute left.'
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `About ${countOf(minutes, 'minute', 'minutes')} left.`
  return `About ${countOf(Math.round(minutes / 60), 'hour', 'hours')} left.`
}

/** "9 minutes", from a number of seconds. */
function duration(seconds: number): string {
  if (seconds < 60) return countOf(Math.max(1, Math.round(seconds)), 'second', 'seconds')
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return countOf(minutes, 'minute', 'minutes')
  return countOf(Math.round(minutes / 60), 'hour', 'hours')
}

const PHASES: Record<ImportProgress['phase'], string> = {
  upload: 'Sending the file',
  read: 'Reading the file',
  posts: 'Importing posts',
  pictures: 'Fetching pictures',
  comments: 'Importing comments',
  links: 'Linking the posts',
  undo: 'Removing what was imported',
}

export const archive = {
  importing: {
    title: 'Bring posts from elsewhere',
    wholeTitle: 'Import a whole blog',
    steps: { choose: 'Choose', check: 'Check', import: 'Import', done: 'Done' },
    stepDone: ', done',
    leads: {
      choose: 'They become your posts, with their dates, tags, pictures and comments.',
      chooseWhole: 'With its people, posts, pages, pictures and comments.',
      checking: 'Nothing is stored yet.',
      check: 'Nothing is stored yet. This is what will be imported.',
      running: 'It continues in the background. You can close this page and keep writing.',
    },
    /** "Ghost 5.96, 1,480 posts by 4 people, 2.1 GB of pictures." */
    summary: (program: string, postCount: number, peopleCount: number, size: string) =>
      `${program}, ${posts(postCount)} by ${people(peopleCount)}${size && `, ${size} of pictures`}.`,
    from: 'Where do they come from?',
    kinds: {
      wordpress: { name: 'WordPress', hint: '.xml or .zip' },
      ghost: { name: 'Ghost', hint: '.json or .zip' },
      medium: { name: 'Medium', hint: '.zip' },
      substack: { name: 'Substack', hint: '.zip' },
      markdown: { name: 'Markdown', hint: '.zip of a folder' },
      archive: { name: 'Another Lamplight', hint: 'its data, .zip' },
    },
    howToGet: {
      wordpress: 'In WordPress: Tools, Export, All content.',
      ghost: 'In Ghost: Settings, Import/Export, Export content.',
      medium: 'In Medium: Settings, Security and apps, Download your information.',
      substack: 'In Substack: Settings, Export, New export.',
      markdown: 'The folder with your posts and pictures, as one .zip.',
      archive: 'In the other blog: Settings, Import and export, Data.',
    },
    drop: 'Drop the file here',
    dropNow: 'Drop to use this file',
    orChoose: (howToGet: string) => `or choose it. ${howToGet}`,
    choose: 'Choose the file',
    fileLabel: 'File with the posts',
    another: 'Another file',
    address: 'Address of the old site',
    optional: 'optional',
    addressHint: 'Pictures are fetched from there, and old addresses lead to the new posts.',
    notAnAddress: 'An address begins with https:// or http://.',
    promise: 'First you see what will be imported. Nothing is stored until you confirm.',
    check: 'Check the file',
    tooLarge: (size: string) =>
      `This file is larger than ${size}. The person who runs this site can import it on the server.`,
    empty: 'This file is empty.',
    chosen: (size: string) => `${size}. Choose another file`,
    partOf: (sent: string, total: string) => `${sent} of ${total}`,
    sending: (file: string) => `Sending ${file}`,
    connectionLost: 'The connection is lost. It continues when it is back.',
    unfinished: (file: ReactNode, sent: string) => (
      <>
        {file} has been sent in part, {sent}. Choose it again to continue there.
      </>
    ),
    discard: 'Discard it',
    cancel: 'Cancel',
    phases: PHASES,
    /** "Importing posts, 84 of 229" */
    progress: (phase: ImportProgress['phase'], done: number, total: number) =>
      total > 0 ? `${PHASES[phase]}, ${number(done)} of ${number(total)}` : PHASES[phase],
    of: (done: number, total: number) => `${number(done)} of ${number(total)}`,
    current: (name: ReactNode) => <>“{name}”.</>,
    timeLeft,
    continuing: (done: number) => `Continuing at ${number(done)}.`,
    waiting: 'It begins in a moment.',
    afterPosts: 'come after the posts',
    paused: 'Paused. Nothing is lost.',
    pause: 'Pause',
    continue: 'Continue',
    stop: 'Stop and undo',
    stopping: {
      title: 'Stop and undo the import?',
      text: 'What has been imported so far is removed again. Posts that you have changed since are kept.',
      confirm: 'Stop and undo',
      keep: 'Keep importing',
    },
    failed: 'The import has stopped.',
    unreadable: 'This file cannot be read as any of these.',
    checked: 'The file has been read.',
    problems: {
      tooLarge:
        'This file is too large. The person who runs this site can import it on the server.',
      noRoom: 'The server has no room for it just now. Try again later.',
      active: 'Another import has not ended yet.',
      changed: 'The import was continued elsewhere, such as in another tab.',
    },
    callFailed: (reason: string) => `That did not work. ${reason}`,
    earlier: 'Earlier imports',
    show: 'Show',
    showOf: (file: string) => `Show the import of ${file}`,
    undoable: (until: ReactNode) => <>can be undone until {until}</>,
  },
  importCheck: {
    inFile: 'In the file',
    willCome: 'Will be imported',
    table: 'What will be imported',
    program: (program: string, size: string) => [program, size].filter(Boolean).join(', '),
    rows: {
      posts: 'Posts',
      drafts: 'Drafts and private posts',
      pages: 'Pages',
      pictures: 'Pictures',
      comments: 'Comments',
      tags: 'Tags and categories',
      addresses: 'Old addresses',
    },
    dates: (oldest: ReactNode, newest: ReactNode) => (
      <>
        {oldest} to {newest}
      </>
    ),
    asInactive: 'come as inactive',
    pictureSize: (size: string, room: string) =>
      [size, room && `you have ${room} left`].filter(Boolean).join('; '),
    pictureSizeWhole: (size: string, room: string) =>
      [size, room && `${room} are free`].filter(Boolean).join('; '),
    byPeople: 'their writers have no way to sign in',
    tagsHint: (most: number, tooMany: number) =>
      tooMany > 0
        ? `up to ${most} for each post; ${posts(tooMany)} ${tooMany === 1 ? 'has' : 'have'} more`
        : `up to ${most} for each post`,
    addressHint: 'lead to the new place',
    otherKind: (kind: SourceKind, chosen: SourceKind) =>
      `This is ${EXPORTS[kind]}, not ${KINDS[chosen]}. It was read as ${KINDS[kind]}.`,
    noPosts: 'There are no posts in it.',
    noRoom: (pictures: string, room: string) =>
      `${pictures} of pictures, ${room} left. Import without pictures, or make room first.`,
    /** The choices. */
    status: 'Published posts come as',
    statuses: {
      active: {
        name: 'active',
        hint: 'They show in the list at their old dates. Nobody is notified.',
      },
      inactive: { name: 'inactive', hint: 'You look through them first.' },
    },
    pagesAsPosts: 'Pages as posts',
    pagesAsPostsHint: (count: number) => `${countOf(count, 'page', 'pages')}, tagged #page`,
    pages: 'Pages come as',
    pageChoices: {
      pages: { name: 'pages', hint: 'Each has an address of its own, such as /about.' },
      posts: { name: 'posts', hint: 'They are tagged #page.' },
      none: { name: 'not at all', hint: 'They stay in the file.' },
    },
    hasPictures: 'With pictures',
    hasPicturesHint: 'Without them, the posts link to the pictures of the old site.',
    hasComments: 'With comments',
    hasCommentsHint: 'They keep their dates and the names of their writers.',
    hasSiteName: 'Name and line of the old blog',
    hasSiteNameHint: (name: ReactNode, line: ReactNode) =>
      line ? (
        <>
          “{name}”, “{line}”. They replace yours.
        </>
      ) : (
        <>“{name}”. It replaces yours.</>
      ),
    import: (postCount: number, pageCount: number) =>
      pageCount > 0
        ? `Import ${posts(postCount)} and ${countOf(pageCount, 'page', 'pages')}`
        : `Import ${posts(postCount)}`,
    number: (comes: number, found: number) =>
      comes === found ? number(comes) : `${number(comes)} of ${number(found)}`,
    addressForPictures: 'Pictures are fetched from there.',
    checkAgain: 'Check again',
    people: {
      title: 'Who is who?',
      text: 'People with the same email address are matched. A new account cannot sign in until its person accepts an invitation.',
      facts: (email: ReactNode, count: number) => (
        <>
          {email || 'no address'}, {posts(count)}
        </>
      ),
      becomes: (name: string) => `Becomes, for ${name}`,
      choose: 'Choose',
      new: 'A new account, to be claimed',
      unknown: '“Unknown User”',
      hold: (count: number) => `Choose for ${people(count)}.`,
    },
  },
  leftOut: {
    before: 'What will be left out',
    after: 'What was left out',
    whole: (count: number) => `The whole list, ${countOf(count, 'line', 'lines')}`,
    download: 'Download the list',
    pagesOut: (count: number) => countOf(count, 'page', 'pages'),
    pagesOutHint: 'Choose “Pages as posts” below if you want them.',
    pagesStay: 'They stay in the file.',
    lost: {
      pictures: (count: number) => `${countOf(count, 'picture', 'pictures')} did not come`,
      comments: (count: number) => `${countOf(count, 'comment', 'comments')} did not come`,
    },
    lostHint: {
      pictures: 'The posts keep the links. The list says why.',
      comments: 'The list says why.',
    },
    named: (text: string, names: ReactNode[], hasMore: boolean) => (
      <>
        {text}
        {names.length > 0 && (
          <>
            {' ('}
            {names.flatMap((name, at) => (at > 0 ? [', ', name] : [name]))}
            {hasMore && ' …'})
          </>
        )}
      </>
    ),
    quoted: (name: ReactNode) => <>“{name}”</>,
    text: (issue: Issue) => sentence(issue).text,
    hint: (issue: Issue) => sentence(issue).hint,
  },
  importDone: {
    title: (count: number) => `${posts(count)} imported.`,
    /** "1,083 of 1,106 pictures, 1,893 comments, 212 old addresses. It took 9 minutes." */
    more: (done: ImportCounts, found: ImportCounts, seconds: number) => {
      const parts = [
        found.pages > 0 && done.pages > 0 && countOf(done.pages, 'page', 'pages'),
        found.pictures > 0 &&
          (done.pictures === found.pictures
            ? countOf(done.pictures, 'picture', 'pictures')
            : `${number(done.pictures)} of ${countOf(found.pictures, 'picture', 'pictures')}`),
        done.comments > 0 && countOf(done.comments, 'comment', 'comments'),
        done.people > 0 && people(done.people),
        done.addresses > 0 && countOf(done.addresses, 'old address', 'old addresses'),
      ].filter(Boolean)
      const list = parts.length > 0 ? `${parts.join(', ')}. ` : ''
      return `${list}It took ${duration(seconds)}.`
    },
    undo: 'Undo this import',
    undoHint: (until: ReactNode) => (
      <>Posts that you have changed since are kept. Possible until {until}.</>
    ),
    undoButton: 'Undo import',
    undoing: {
      title: 'Undo the import?',
      text: (count: number) =>
        `${posts(count)} and everything that came with them are deleted. Posts that you have changed since are kept.`,
      confirm: 'Undo import',
      keep: 'Keep them',
    },
    undone: (kept: number) =>
      kept > 0
        ? `The import is undone. ${posts(kept)} that you have changed since ${kept === 1 ? 'is' : 'are'} kept.`
        : 'The import is undone.',
    see: 'See your posts',
    seeAll: 'See the posts',
    another: 'Import another file',
  },
  exporting: {
    title: 'Take everything with you',
    text: 'Ready in a moment, kept for seven days. Nothing here changes.',
    parts: {
      site: {
        name: 'A site that opens from disk',
        text: 'Your posts with pictures, tags, feeds and search, as plain pages. Open index.html, or put the folder on any web host.',
      },
      markdown: {
        name: 'Markdown',
        text: 'One file for each post, with date, tags and address at its head, pictures beside it. Other programs read it.',
      },
      data: {
        name: 'Data',
        text: 'Everything about your posts, with drafts, versions, comments and likes. Another Lamplight takes it back as it was.',
      },
    } satisfies Record<ExportPart, { name: string; text: string }>,
    account: {
      name: 'Your account',
      text: 'What else is stored about you, such as sign-ins, sessions and reports, with your posts and pictures, as JSON.',
      label: 'Download my data',
    },
    create: 'Create',
    createOf: (name: string) => `Create: ${name}`,
    createAgain: (name: string) => `Create again: ${name}`,
    creating: 'Creating',
    percent: (percent: number) => `${percent} %`,
    waiting: 'It begins in a moment.',
    active: 'Another export is being made.',
    /** "Ready since 13:51, 96 MB, kept until 30 Nov" */
    ready: (since: ReactNode, size: string, until: ReactNode) => (
      <>
        Ready since {since}, {size}, kept until {until}
      </>
    ),
    isReady: (name: string) => `Ready to download: ${name}`,
    failed: 'It could not be created. Try again.',
    download: 'Download',
    downloadOf: (name: string) => `Download: ${name}`,
  },
  blogExport: {
    title: 'Export the whole blog',
    text: 'A site that opens from disk, Markdown and data, as one folder. Passwords and email addresses only if you ask for them.',
    what: 'What',
    parts: {
      all: 'All three',
      site: 'Only the site',
      markdown: 'Only Markdown',
      data: 'Only data',
    },
    /** The names of exports in the list. */
    names: {
      all: 'The whole blog',
      site: 'The site',
      markdown: 'Markdown',
      data: 'Data',
    },
    withPeople: ', with addresses and passwords',
    hasPeople: 'With email addresses and passwords (as hashes)',
    hasPeopleHint: 'For moving to another machine. Keep such a file like a key.',
    create: 'Create the archive',
  },
}

type Issue = { what: ImportIssue['what']; reason: IssueReason; count: number }
type Sentence = { text: string; hint: string }

const THINGS: Record<ImportIssue['what'], readonly [one: string, many: string]> = {
  post: ['post', 'posts'],
  page: ['page', 'pages'],
  picture: ['picture', 'pictures'],
  comment: ['comment', 'comments'],
  person: ['person', 'people'],
  tag: ['tag', 'tags'],
  address: ['address', 'addresses'],
  part: ['part of a post', 'parts of posts'],
  file: ['file', 'files'],
}

const KEEPS_LINK = 'The posts keep the links; the list names each.'

/** What each reason says of a number of things; hints say what becomes of them. */
const REASONS: Record<IssueReason, (is: (one: string, many: string) => string) => Sentence> = {
  unsupported: (is) => ({
    text: is('has no counterpart here', 'have no counterpart here'),
    hint: 'What they show is kept as text where that is possible.',
  }),
  shortcode: (is) => ({
    text: is('comes from an extension of the old blog', 'come from extensions of the old blog'),
    hint: 'The words, pictures and addresses in them are kept.',
  }),
  pictureMissing: (is) => ({
    text: is('could not be found', 'could not be found'),
    hint: KEEPS_LINK,
  }),
  pictureUnreachable: (is) => ({
    text: is('could not be fetched', 'could not be fetched'),
    hint: `The old site did not send them. ${KEEPS_LINK}`,
  }),
  pictureRefused: (is) => ({
    text: is('cannot be used', 'cannot be used'),
    hint: `They are too large, damaged, of another kind, or not on the old site. ${KEEPS_LINK}`,
  }),
  noRoom: (is) => ({
    text: is('has no room', 'have no room'),
    hint: `There is not enough space left. ${KEEPS_LINK}`,
  }),
  unused: (is) => ({
    text: is('is shown by no post', 'are shown by no post'),
    hint: 'They stay in the old blog.',
  }),
  present: (is) => ({
    text: is('is here already', 'are here already'),
    hint: 'They are left as they are.',
  }),
  conflict: (is) => ({
    text: is('is there twice', 'are there twice'),
    hint: 'The first one is taken.',
  }),
  tooLong: (is) => ({
    text: is('has something that is too long', 'have something that is too long'),
    hint: 'Titles, excerpts, tags and comments are cut off. A whole post over the limit stays in the file.',
  }),
  tooManyTags: (is) => ({
    text: is('has too many tags', 'have too many tags'),
    hint: 'Their first tags are taken.',
  }),
  noTitle: (is) => ({
    text: is('has no title', 'have no title'),
    hint: 'The beginning of the text becomes the title.',
  }),
  tooManyAuthors: (is) => ({
    text: is('has several authors', 'have several authors'),
    hint: 'The first one becomes the author.',
  }),
  notAPost: (is) => ({
    text: is('is not a post', 'are not posts'),
    hint: 'Such as menus, revisions and settings. They stay in the file.',
  }),
  spam: (is) => ({
    text: is('was spam, or deleted', 'were spam, or deleted'),
    hint: 'They stay in the file.',
  }),
  parentMissing: (is) => ({
    text: is('replies to one that does not come', 'reply to one that does not come'),
    hint: 'They come as comments of their own, in the order of their dates.',
  }),
  postMissing: (is) => ({
    text: is('belongs to a post that does not come', 'belong to posts that do not come'),
    hint: 'They stay in the file.',
  }),
  badDate: (is) => ({
    text: is('has no date that can be read', 'have no date that can be read'),
    hint: 'They come with the date of their last change, scheduled ones as inactive.',
  }),
  noDate: (is) => ({
    text: is('has no date', 'have no date'),
    hint: 'They come with the date of their file or of their last change, or of today.',
  }),
  unreadable: (is) => ({
    text: is('cannot be read', 'cannot be read'),
    hint: 'They stay in the file.',
  }),
  address: (is) => ({
    text: is('is taken, or cannot be used here', 'are taken, or cannot be used here'),
    hint: 'They do not lead to the new posts.',
  }),
}

/** Where a reason says something else of one kind of thing. */
const SPECIAL: Readonly<Record<string, (count: number) => Sentence>> = {
  'person unsupported': () => ({
    text: 'Members and subscribers',
    hint: 'They are not imported. Their addresses stay in the file.',
  }),
  'comment unsupported': (count) => ({
    text: `${countOf(count, 'comment has', 'comments have')} no counterpart here`,
    hint: 'Such as pingbacks, trackbacks and comments on pages. They stay in the file.',
  }),
  'file unsupported': (count) => ({
    text: `${countOf(count, 'file has', 'files have')} no counterpart here`,
    hint: 'Such as sounds and videos. They stay in the file.',
  }),
  'part notAPost': (count) => ({
    text: countOf(count, 'other thing', 'other things'),
    hint: 'Such as menus, revisions and settings. They stay in the file.',
  }),
  'page conflict': (count) => ({
    text: `${countOf(count, 'page', 'pages')} cannot be ${count === 1 ? 'a page' : 'pages'} here`,
    hint: 'The address is taken, or there are as many pages as a blog can have. They come as posts.',
  }),
  'address conflict': (count) => ({
    text: `${countOf(count, 'address belongs', 'addresses belong')} to several posts`,
    hint: 'Each leads to the first of them.',
  }),
}

/** "23 pictures could not be found", and what that means. */
function sentence({ what, reason, count }: Issue): Sentence {
  const special = SPECIAL[`${what} ${reason}`]
  if (special) return special(count)
  const [one, many] = THINGS[what]
  return REASONS[reason](
    (ofOne, ofMany) => `${countOf(count, one, many)} ${count === 1 ? ofOne : ofMany}`,
  )
}
