// English texts. The pages of operators.
import type { ReactNode } from 'react'
import type { OutboxMailKind } from '#contract/operator.ts'
import type { AccountRole } from '#contract/permissions.ts'

const count = new Intl.NumberFormat('en')

const MAIL_NAMES: Record<OutboxMailKind, string> = {
  recovery: 'Password reset',
  invitation: 'Invitation',
  verification: 'Email verification',
  signIn: 'Sign-in link',
  code: 'Sign-in code',
  notifications: 'Notifications',
  other: 'Other mail',
}

export const admin = {
  adminImport: { title: 'Import and export' },
  adminRoles: {
    operator: 'operator',
    author: 'author',
    reader: 'reader',
  } satisfies Record<AccountRole, string>,
  adminRows: {
    more: (name: string) => `More for ${name}`,
    undo: 'Undo',
    copy: 'Copy',
    copied: 'Copied.',
    done: 'Done',
    previous: 'Previous page',
    next: 'Next page',
    range: (first: number, last: number, total: number) =>
      `${count.format(first)} to ${count.format(last)} of ${count.format(total)}`,
    by: (name: ReactNode) => <>by {name}</>,
    byYou: 'by you',
    byProgram: 'by a program',
    backupRunning: 'A backup is being made already.',
    lastOperator: 'The blog needs an operator. Make somebody else one first.',
    changedMeanwhile:
      'Somebody else has changed this meanwhile. You see how it is now; nothing was done.',
  },
  adminOverview: {
    title: 'Overview',
    lead: (site: ReactNode) => <>{site}, in the last seven days.</>,
    number: (number: number) => count.format(number),
    newPosts: (posts: number) => (posts === 1 ? 'new post' : 'new posts'),
    newPeople: (people: number) => (people === 1 ? 'new person' : 'new people'),
    comments: (comments: number) => (comments === 1 ? 'comment' : 'comments'),
    previousWeek: (number: number) => `${count.format(number)} the week before`,
    inAll: (number: number) => `${count.format(number)} in all`,
  },
  adminPeople: {
    title: 'People',
    lead: (people: number) =>
      `${people === 1 ? '1 person' : `${count.format(people)} people`}. Authors write, readers like and comment.`,
    search: 'Search people',
    searchHint: 'Name or email',
    role: 'Role',
    state: 'State',
    roles: { '': 'All roles', operator: 'Operators', author: 'Authors', reader: 'Readers' },
    states: {
      '': 'Everybody',
      invited: 'Invited',
      blocked: 'Blocked',
      unverified: 'Not verified',
    },
    none: 'Nobody found. The search looks at the beginning of names and addresses.',
    you: '(you)',
    invited: 'invited',
    blocked: 'blocked',
    notVerified: 'not verified',
    /** An imported author. */
    unclaimed: 'not claimed yet',
    joined: (date: ReactNode) => <>joined {date}</>,
    lastSeen: (date: ReactNode) => <>last seen {date}</>,
    worksUntil: (date: ReactNode) => <>the link works until {date}</>,
    posts: (posts: number) =>
      posts === 0 ? 'no posts' : posts === 1 ? '1 post' : `${count.format(posts)} posts`,
    roleOf: (name: string) => `Role of ${name}`,
    roleSet: (name: string, role: AccountRole) =>
      `${name} is ${role === 'reader' ? 'a' : 'an'} ${role} now.`,
    unblocked: (name: string) => `${name} is unblocked.`,
    withdrawn: (email: string) => `The invitation of ${email} is withdrawn.`,
    mailed: (email: string) => `The invitation is on its way to ${email}.`,
    menu: {
      link: 'Create sign-in link',
      posts: 'See their posts',
      block: 'Block',
      unblock: 'Unblock',
      delete: 'Delete account',
      newLink: 'Create a new link',
      inviteImported: 'Invite them',
      withdraw: 'Withdraw invitation',
    },
    invite: 'Invite somebody',
    inviting: {
      title: 'Invite somebody',
      submit: 'Create invitation',
      hint: 'The link works once, for seven days. With a mail server it is sent; otherwise you copy it.',
      missing: 'Write an email address first.',
    },
    invitingAgain: {
      title: (email: string) => `A new link for ${email}?`,
      text: 'It works once, for seven days. The link before it stops working.',
      confirm: 'Create link',
    },
    invitingImported: {
      title: (email: string) => `Invite ${email}?`,
      text: 'Whoever accepts gets this account with its posts. The link works once, for seven days.',
      confirm: 'Create invitation',
    },
    withdrawing: {
      title: (email: string) => `Withdraw the invitation of ${email}?`,
      text: 'Its link stops working. You can invite this person again.',
    },
    invitationLink: {
      title: (email: string) => `An invitation for ${email}`,
      text: 'Anyone who opens it can create the account. Send it to this person only.',
      label: 'Link, works once and for seven days',
    },
    signInLink: {
      title: (name: string) => `A sign-in link for ${name}`,
      text: (name: string) =>
        `Anyone who opens it is signed in as ${name}. Send it to this person only, and not where others can read it.`,
      label: 'Link, works once and for one hour',
      note: 'Activity shows that you created it.',
      withdraw: 'Withdraw the link',
      withdrawn: 'The link no longer works.',
    },
    promoting: {
      title: (name: string) => `Make ${name} an operator?`,
      text: (name: string) =>
        `${name} will see these pages, all settings and Activity, and can take the role away from you.`,
      confirm: 'Make operator',
    },
    givingUp: {
      title: (_name: string) => 'Give up being an operator?',
      text: (_name: string) =>
        'These pages close for you. Only another operator can give you the role back.',
      confirm: 'Give it up',
    },
    blocking: {
      title: (name: string) => `Block ${name}?`,
      text: 'They are signed out everywhere and can no longer sign in. Their posts and comments are hidden until you unblock them.',
      label: 'Reason, for Activity',
      confirm: 'Block',
      done: (name: string) => `${name} is blocked.`,
    },
    deleting: {
      title: (name: string) => `Delete the account of ${name}?`,
      counted: ({ posts, comments, files }: { posts: number; comments: number; files: number }) =>
        `${counted(posts, 'post')}, ${counted(comments, 'comment')} and ${counted(files, 'file')} are deleted permanently. Replies of others stay, under “deleted person”.`,
      uncounted: 'Their posts, comments and files are deleted permanently.',
      hint: 'Let them download their data first if they may want it.',
      label: (name: string) => `Type ${name} to confirm`,
      confirm: 'Delete account',
      done: (name: string) => `The account of ${name} is deleted.`,
    },
  },
  adminPosts: {
    title: 'Posts',
    lead: (active: number) =>
      `${counted(active, 'active post')}. Drafts of others are not listed here.`,
    search: 'Search in posts',
    searchHint: 'Title, author or words',
    state: 'Which posts',
    states: {
      active: 'All active',
      hidden: (posts: number) => `Hidden (${count.format(posts)})`,
      removed: (posts: number) => `Removed (${count.format(posts)})`,
      reported: (posts: number) => `Reported (${count.format(posts)})`,
    },
    none: 'No posts found.',
    chips: { active: 'active', hidden: 'hidden', removed: 'removed' },
    counts: (likes: number, comments: number) =>
      `${counted(likes, 'like')}, ${counted(comments, 'comment')}`,
    keptUntil: (date: ReactNode) => <>kept until {date}</>,
    hide: 'Hide from everybody',
    show: 'Show again',
    remove: 'Remove',
    restore: 'Restore',
    restoreNamed: (title: string) => `Restore ${title}`,
    hidden: (title: string) => `“${title}” is hidden.`,
    shown: (title: string) => `“${title}” is shown again.`,
    removed: (title: string) => `“${title}” is removed. It stays under “Removed” for 30 days.`,
    ownRemoved: (title: string) =>
      `“${title}” is deleted. It waits under “Deleted posts” of your dashboard for 30 days.`,
    closed: (title: string, isClosed: boolean) =>
      `The comments under “${title}” are ${isClosed ? 'closed' : 'open'}.`,
    restored: (title: string) => `“${title}” is back, as a draft of its author.`,
    hiding: {
      title: (title: string) => `Hide “${title}”?`,
      text: 'Only its author sees it then, and is told that it is hidden.',
      reason: 'Reason, for Activity',
    },
    removing: {
      title: (title: string) => `Remove “${title}”?`,
      text: 'Nobody sees it any more. For 30 days it stays under “Removed”, then it is deleted permanently.',
    },
  },
  adminActivity: {
    title: 'Activity',
    lead: 'Who did what, kept for one year. Nobody can change it.',
    search: 'Search in activity',
    searchHint: 'Person, post or word',
    kind: 'What',
    kinds: {
      '': 'Everything',
      people: 'People',
      posts: 'Posts',
      comments: 'Comments',
      settings: 'Settings',
      'sign-ins': 'Sign-ins of operators',
    },
    csv: 'Download as CSV',
    none: 'Nothing found.',
    newest: 'Newest',
    older: 'Older',
    actors: { key: 'A program with the key', system: 'The blog' },
    actions: {
      'people role': (who: ReactNode) => <>changed the role of {who}</>,
      'people blocked': (who: ReactNode) => <>blocked {who}</>,
      'people unblocked': (who: ReactNode) => <>unblocked {who}</>,
      'people deleted': (who: ReactNode) => <>deleted the account of {who}</>,
      'people invited': (who: ReactNode) => <>invited {who}</>,
      'people uninvited': (who: ReactNode) => <>withdrew the invitation of {who}</>,
      'people joined': (_who: ReactNode) => <>joined by an invitation</>,
      'people linkMade': (who: ReactNode) => <>made a sign-in link for {who}</>,
      'people linkWithdrawn': (who: ReactNode) => <>withdrew a sign-in link for {who}</>,
      'people linkCopied': (who: ReactNode) => <>copied a mailed link for {who}</>,
      'people linkUsed': (_who: ReactNode) => <>signed in by a link that was made for them</>,
      'posts hidden': (post: ReactNode) => <>hid {post}</>,
      'posts shown': (post: ReactNode) => <>showed {post} again</>,
      'posts removed': (post: ReactNode) => <>removed {post}</>,
      'posts restored': (post: ReactNode) => <>brought back {post}</>,
      'posts closed': (post: ReactNode) => <>closed the comments under {post}</>,
      'posts opened': (post: ReactNode) => <>opened the comments under {post}</>,
      'comments hidden': (of: ReactNode) => <>hid a comment under {of}</>,
      'comments shown': (of: ReactNode) => <>showed a comment under {of} again</>,
      'comments approved': (of: ReactNode) => <>approved a comment under {of}</>,
      'comments reportDismissed': (of: ReactNode) => <>dismissed a report about {of}</>,
      'comments reopened': (of: ReactNode) => <>let a case about {of} wait again</>,
      'settings setUp': (_what: ReactNode) => <>set the blog up</>,
      'settings changed': (what: ReactNode) => <>changed {what}</>,
      'settings backup': (_what: ReactNode) => <>started a backup</>,
      'settings backupDownloaded': (which: ReactNode) => <>downloaded the backup {which}</>,
      'settings backupDeleted': (which: ReactNode) => <>deleted the backup {which}</>,
      'settings mailTest': (_what: ReactNode) => <>sent a test mail</>,
      'settings import': (file: ReactNode) => <>imported {file}</>,
      'settings importUndone': (file: ReactNode) => <>undid the import of {file}</>,
      'settings export': (which: ReactNode) => <>exported the blog ({which})</>,
      'settings exportDownloaded': (which: ReactNode) => <>downloaded an export ({which})</>,
      'sign-ins signedIn': (_who: ReactNode) => <>signed in</>,
    },
    other: (what: ReactNode) => <>did something to {what}</>,
    values: {
      siteName: 'the name of the blog',
      about: 'the line about the blog',
      reading: 'who may read',
      registration: 'who may sign up',
      newRole: 'the role of new accounts',
      comments: 'comments under posts',
      approveFirst: 'the approval of first comments',
      accent: 'the accent colour',
      logo: 'the logo',
      links: 'the pages and links',
      backups: 'whether backups are made each night',
      backupTime: 'the time of backups',
      backupKeep: 'how many backups are kept',
      backupFolder: 'the folder of backups',
    },
    details: {
      before: (value: string) => `from “${value}”`,
      after: (value: string) => `to “${value}”`,
      role: (value: string) => `role: ${value}`,
      reason: (value: string) => `reason: ${value}`,
      to: (value: string) => `to ${value}`,
      mail: (value: string) => MAIL_NAMES[value as OutboxMailKind] ?? value,
      as: (value: string) => `signed in as ${value}`,
      madeBy: (value: string) => `link of ${value}`,
      device: (value: string) => value,
      address: (value: string) => `from ${value}`,
    },
  },
  adminMails: {
    link: 'Kept mails',
    title: 'Mails kept on this server',
    notice: 'No mail server is set up, so nothing is sent.',
    noticeText:
      'Copy a link and pass it on to that person only. Each copied link is recorded in Activity.',
    setUp: 'Set up a mail server',
    none: 'No mails are kept',
    noneText:
      'Invitations, password resets and verifications appear here as long as no mail server is set up.',
    noneFound: 'No mails found.',
    recipient: 'Recipient',
    kind: 'Kind',
    kinds: { '': 'All kinds', ...MAIL_NAMES },
    names: MAIL_NAMES,
    to: (email: ReactNode) => <>to {email}</>,
    validUntil: (time: ReactNode) => <>link valid until {time}</>,
    used: 'used',
    expired: 'expired',
    ofOperator: 'Only another operator or the server itself has this link.',
    copy: 'Copy link',
    copyCode: 'Copy code',
    copyOf: (label: string, name: string, email: string) => `${label}, ${name}, ${email}`,
    copied: (email: string) => `Copied. Pass it on to ${email} only.`,
    linkInvalid: 'This link no longer works.',
    linkFor: (email: string) => `A link for ${email}`,
    passOn: 'Pass it on to this person only, and not where others can read it.',
    open: 'Open',
    openOf: (name: string, email: string) => `Open, ${name}, ${email}`,
    more: 'Load more',
    showing: (shown: number, total: number) =>
      `Showing ${count.format(shown)} of ${count.format(total)}. Older mails are deleted.`,
    mail: 'Mail',
    mailTitle: (name: string) => `Mail: ${name}`,
    from: 'From',
    subject: 'Subject',
    noSecrets: 'The secret of the link is left out here.',
    back: 'All kept mails',
  },
  adminSettings: {
    title: 'Blog settings',
    save: 'Save',
    saving: 'Saving',
    saved: 'Saved.',
    changedMeanwhile:
      'Somebody else has changed this meanwhile. You see what is set now; your change was not saved.',
    fixed: 'Set on the server. It can only be changed there.',
    name: {
      title: 'Name and line',
      label: 'Name of the blog',
      most: (most: number) => `${most} characters at most.`,
      missing: 'Write a name first.',
      line: 'One line about it',
      lineHint: 'Shown above the list, in the footer and in search results.',
      lineMissing: 'Write a line first.',
    },
    logo: {
      title: 'Logo',
      about: 'Header, mails, share cards and the icon on a phone.',
      choose: 'Choose a picture',
      lamp: 'Use the lamp',
      rule: 'PNG, JPG or SVG, square, at least 256 px, at most 1 MB. Without one the lamp stays.',
      unfit:
        'This picture cannot be the logo. Choose a square PNG or JPG of at least 256 px, or a square SVG without scripts and other files, of at most 1 MB.',
    },
    accent: {
      title: 'Accent colour',
      about:
        'The main action, links and the end mark. It is used lighter in the dark theme and darker in the light theme.',
      legend: 'Colour',
      names: {
        butter: 'Butter',
        apricot: 'Apricot',
        rose: 'Rose',
        lilac: 'Lilac',
        sky: 'Sky',
        mint: 'Mint',
      },
      value: 'Or a value',
      invalid: 'Write a hex colour such as #2f7a6b.',
      themes: { dark: 'Dark theme', light: 'Light theme' },
      adjusted: (theme: string) => `${theme}, adjusted`,
      sample: 'Submit',
      readable: (ratio: number) => `${ratioOf(ratio)} to 1, easy to read`,
      unreadable: {
        dark: (ratio: number) => `${ratioOf(ratio)} to 1, too dark to read`,
        light: (ratio: number) => `${ratioOf(ratio)} to 1, too pale to read`,
      },
      usesAdjusted: (themes: readonly string[]) =>
        `In the ${themes.join(' and ')} theme the blog uses the adjusted colour.`,
      save: 'Save colour',
    },
    reading: {
      title: 'Reading',
      legend: 'Who may read',
      options: {
        everyone: { name: 'Everyone', hint: 'Posts, feeds and search are open.' },
        members: {
          name: 'Members',
          hint: 'The list asks visitors to sign in. A post can still be read by whoever has its address.',
        },
      },
    },
    registration: {
      title: 'New accounts',
      legend: 'Who may sign up',
      options: {
        open: { name: 'Anyone', hint: 'Sign-up is open.' },
        invitation: { name: 'By invitation', hint: 'Only with an invitation from an operator.' },
        closed: {
          name: 'Nobody',
          hint: 'The sign-up page says that the blog accepts no new accounts.',
        },
      },
      role: 'Role of new accounts',
      roleHint: 'You can change it for each person later.',
    },
    comments: {
      title: 'Comments',
      legend: 'Under posts',
      options: {
        on: { name: 'On', hint: 'Authors can close them under a post of theirs.' },
        off: { name: 'Off', hint: 'What was written stays stored, nobody sees it.' },
      },
      approve: 'Approve first comments',
      approveHint:
        'While anyone may sign up, the first comments of a new account wait for approval.',
      on: 'On',
      off: 'Off',
    },
    mail: {
      title: 'Mail',
      state: {
        sent: 'Mails go to a mail server.',
        kept: 'No mail server is set up. Mails are kept on this server, and you pass on their links.',
        off: 'This blog sends no mail.',
      },
      seeKept: 'See kept mails',
      test: 'Send a test mail',
      testing: 'Sending',
      done: (to: ReactNode, time: string) => (
        <>
          Sent to {to}, {time}
        </>
      ),
      failed: 'The test mail was not sent. The log of the server says why.',
    },
  },
}

/** Rounds down, so that a ratio never appears to reach a limit that it misses. */
function ratioOf(ratio: number): string {
  return (Math.floor(ratio * 10) / 10).toFixed(1)
}

function counted(number: number, word: string): string {
  return `${count.format(number)} ${word}${number === 1 ? '' : 's'}`
}
