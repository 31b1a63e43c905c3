// English texts. The feed and the page of a post.
import type { ReactNode } from 'react'

export const reading = {
  feed: {
    notes: {
      newestFirst: 'Newest first',
      empty: 'Nothing here yet',
      failed: 'Could not load',
      end: 'You have reached the first post.',
    },
    failed:
      'The posts did not load. Your connection may have dropped, or the server is temporarily unavailable.',
    showing: (count: number, total: number) => `Showing ${count} of ${total}`,
    loadingMore: 'Loading more',
    newPosts: (count: number) => `${count} new ${count === 1 ? 'post' : 'posts'}`,
    showNew: (newPosts: string) => `${newPosts} · Show`,
    showNewFailed: 'The new posts did not load. Check your connection and try again.',
    moreLoaded: (count: number) => `${count} more ${count === 1 ? 'post' : 'posts'} loaded`,
  },
  emptyFeed: {
    title: 'The first page is blank',
    text: 'No one has published yet. Write something small and it will be the first thing people read here.',
    write: 'Write the first post',
  },
  /** Pages that only an exported site has. */
  staticSite: {
    titles: { archive: 'Archive', authors: 'Authors', tags: 'Tags' },
    noIndex: 'The file search-index.js of this site is missing.',
  },
  /** Lists that are divided into pages, each with an address of its own. */
  pages: {
    label: 'Pages',
    newer: 'Newer posts',
    older: 'Older posts',
    newest: 'Newest posts',
    number: (page: string) => `Page ${page}`,
    range: (first: string, last: string, { total, isOne }: { total: string; isOne: boolean }) =>
      isOne ? `Post ${first} of ${total}` : `Posts ${first} to ${last} of ${total}`,
    /** The total, if the server stopped counting at `most`. */
    many: (most: string) => `more than ${most}`,
    feed: 'Feed',
  },
  /** The list of posts for visitors. */
  openFeed: {
    empty: 'Nothing has been published yet. The feed will tell you when that changes.',
    follow: 'Follow the feed',
  },
  card: {
    by: (author: string) => `Post by : ${author}`,
    read: 'Click to read post',
    tags: (title: string) => `Tags of ${title}`,
  },
  /** The page of a tag. */
  tag: {
    small: 'Tag',
    title: (name: string) => `#${name}`,
    count: (posts: string, isOne: boolean) => `${posts} ${isOne ? 'post' : 'posts'}`,
    description: (name: string, site: string) => `Posts about #${name} on ${site}.`,
    empty: 'No post has this tag',
    emptyHint: 'Perhaps it is written another way.',
    search: 'Search',
  },
  author: {
    screen: 'Author',
    posts: (name: string) => `Posts by ${name}`,
    count: (posts: number) =>
      posts === 0 ? 'No posts' : posts === 1 ? '1 post' : `${posts.toLocaleString('en')} posts`,
    many: (most: string) => `More than ${most} posts`,
    since: (month: string) => `Writes here since ${month}`,
    hereSince: (month: string) => `Here since ${month}`,
    edit: 'Edit your name and bio',
    writeLine: 'Write your bio',
    empty: {
      title: 'Nothing published yet',
      text: (name: ReactNode) => <>When {name} publishes something, it appears here.</>,
    },
    ownEmpty: {
      title: 'This is your page',
      text: 'Your active posts appear here for everybody. Drafts stay with you.',
      write: 'Write your first post',
    },
    all: (firstName: string) => `All posts by ${firstName}`,
  },
  /** The search field of every page. */
  searchField: { title: 'Search', label: 'Search posts', short: 'Search' },
  search: {
    screen: (q: string) => `${q} · Search`,
    submit: 'Search',
    placeholder: 'Words, or “a phrase”',
    found: (posts: string, isOne: boolean, q: ReactNode) => (
      <>
        {posts} {isOne ? 'post' : 'posts'} for “{q}”, titles first
      </>
    ),
    atLeast: (most: string) => `${most} or more`,
    ownOnly: 'Only you find this',
    next: 'More results',
    previous: 'Previous results',
    none: (q: ReactNode) => <>Nothing found for “{q}”</>,
    noneHint: 'Look for a typo, or try one word less. The beginning of a word is enough.',
    tooShort: 'Write at least two letters.',
    failed: 'The search did not respond',
    failedText:
      'Your words are kept. The server is temporarily unavailable, or your connection has dropped.',
    tips: 'Search tips',
    rules: {
      words: (example: ReactNode) => (
        <>
          Every word has to be in the post. The beginning of a word is enough: {example} finds
          mountains.
        </>
      ),
      wordsExample: 'mount',
      phrase: (example: ReactNode) => <>Use quotation marks for a phrase: {example}.</>,
      phraseExample: '"the second border"',
      spelling: 'Accents and capitals do not matter.',
    },
    tags: 'Popular tags',
  },
  /** Dates that the server renders, since it does not know the reader's format. */
  date: (day: number, month: number, year: number) => `${day} ${MONTHS[month]} ${year}`,
  dayOfMonth: (day: number, month: number) => `${day} ${MONTHS[month]}`,
  month: (month: number, year: number) => `${LONG_MONTHS[month]} ${year}`,
  post: {
    screen: 'Post',
    back: 'Back',
    minutes: (count: number) => `${count} min read`,
    authorId: (id: ReactNode) => <>id {id}</>,
    info: {
      label: 'About this post',
      author: 'Author',
      published: 'Published',
      changed: 'Changed',
      address: 'Address',
    },
    inactive: 'This post is inactive. Only you can see it.',
    hidden: 'An operator has hidden this post. Only you can see it, also when it is active.',
    /** Inserted into the HTML of the text, so it must not have quotes or angle brackets. */
    table: 'Table',
    footnotes: 'Footnotes',
    footnote: (number: string) => `Footnote ${number}`,
    backToText: 'Back to the text',
    taskDone: 'Done:',
    taskOpen: 'To do:',
    headingLink: (heading: string) => `Link to this heading: ${heading}`,
    contents: 'Contents',
    continueReading: 'Continue where you stopped',
    parts: (count: number) => `${count} ${count === 1 ? 'part' : 'parts'}`,
  },
  /** These, too, are inserted into the HTML of the text. */
  code: {
    label: (language: string) => (language ? `Code sample, ${language}` : 'Code sample'),
    unnamed: 'Code',
    copy: 'Copy',
  },
  copying: {
    copied: 'Copied.',
    link: 'Copy link',
    linkCopied: 'Link copied.',
    failed: 'This browser did not let it be copied.',
  },
  afterPost: {
    label: 'After the post',
    tags: 'Tags',
    share: 'Share',
    others: (author: string) => `Other posts by ${author}`,
    adjacent: 'Next to this post',
    previous: 'Previous post',
    next: 'Next post',
  },
  player: {
    name: 'Video',
    /** `title` may be empty. */
    play: (service: string, title: string) =>
      `Play video${title && `: ${title}`}. Loads from ${service} when pressed.`,
  },
  embed: {
    /** For an embed without a title of its own. */
    title: (kind: 'video' | 'sound' | 'post' | 'code', service: string) =>
      `${{ video: 'Video', sound: 'Sound', post: 'Post', code: 'Code' }[kind]} at ${service}`,
    note: (host: string) => `From ${host}. Nothing is loaded from there until you press.`,
    load: {
      video: 'Load and play',
      sound: 'Load and play',
      post: 'Load the post',
      code: 'Load the code',
    },
    open: 'Open there',
    always: (host: string) => `Always load from ${host}`,
  },
  pictures: {
    open: 'Open the picture',
    gallery: (count: number) => `Gallery, ${count === 1 ? '1 picture' : `${count} pictures`}`,
    /** `alt` and `more` may be empty. */
    openOne: (number: number, count: number, alt: string, more: string) =>
      `Open picture ${number} of ${count}${alt && `: ${alt}`}${more && `, ${more} more`}`,
    title: 'Pictures',
    position: (number: number, count: number) => `${number} of ${count}`,
    previous: 'Previous picture',
    next: 'Next picture',
    download: 'Download picture',
  },
  postImage: {
    download: 'Download',
    label: 'Download image',
    failed: 'The image could not be downloaded.',
  },
  preview: {
    title: 'Preview',
    note: 'Not published. Only you see this.',
    untitled: 'No title yet',
    theme: 'Theme of the preview',
    themes: { dark: 'Dark', light: 'Light' },
    width: 'Width of the preview',
    widths: { page: 'Page', phone: 'Phone' },
    close: 'Close preview',
    frame: 'The post as its page will look',
    failed: 'The preview could not be loaded. Check your connection.',
  },
  /** The page behind a preview link. */
  draftPreview: {
    shared: (author: string, until: ReactNode) => (
      <>
        <bdi>{author}</bdi> has shared this draft with you. It is not published yet, so please do
        not pass the link on. It works until {until}.
      </>
    ),
    draft: 'draft',
    ended: {
      title: 'This preview has ended',
      text: 'The link was withdrawn, has expired, or the post has been published. Ask the person who sent it.',
    },
  },
  /** Changes to a draft while a reader has its preview open. */
  draftUpdated: 'This draft was updated',
  /** Changes to a post while a reader has it open. */
  livePost: {
    updated: 'This post was updated',
    show: 'Show',
    shown: 'The updated text is shown.',
    notShown: 'The updated text did not load. Check your connection and try again.',
    unpublished:
      'This post was unpublished by its author. You can finish reading; it will not open again.',
    deleted: 'This post was deleted by its author. You can finish reading; it will not open again.',
    ownUnpublished: 'This post was unpublished. From now on only you can open it.',
    ownDeleted: 'This post was deleted. It waits under “Deleted posts”.',
    close: 'Close this message',
  },
  missingPost: {
    title: 'This post is not here',
    text: '404 Not Found. It may have been deleted, or its author keeps it to themselves.',
  },
  foreignPost: {
    screen: '403 Forbidden',
    title: 'This is not your post',
    text: '403 Forbidden. Only its author can change a post.',
  },
  likes: {
    count: (count: number, written: string) => `${written} ${count === 1 ? 'like' : 'likes'}`,
    button: (likes: string) => `Like this post, ${likes}`,
    liked: (likes: string) => `Liked. ${likes}.`,
    removed: (likes: string) => `Like removed. ${likes}.`,
    failed: 'Your like was not saved.',
  },
  likeSignIn: {
    label: 'Sign in to like',
    title: 'Sign in to like this post',
    text: 'It takes a moment, and you come straight back here.',
    notNow: 'Not now',
  },
  ownerMenus: { edit: 'Edit', editMenu: 'Edit menu', delete: 'Delete', deleteMenu: 'Delete menu' },
  postDeletion: {
    title: 'Delete this post?',
    confirm: 'Confirm Delete',
    text: 'It leaves the blog at once and waits under “Deleted posts” for 30 days. Until then you can restore it.',
    done: 'Post deleted.',
    failed: (reason: string) => `The post was not deleted. ${reason}`,
  },
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const LONG_MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
