// English texts. What operators read about the server: its health and its backups.
import type { ReactNode } from 'react'
import type {
  BackupReason,
  FolderProblem,
  HealthCode,
  HealthItem,
  HealthLevel,
} from '#contract/operator.ts'

/** The numbers, times and sizes in a sentence. */
type Parts = {
  facts: HealthItem['facts']
  at: ReactNode
  size: (name: string) => string
}
type HealthWords = {
  sentence: (parts: Parts) => ReactNode
  about?: (parts: Parts) => ReactNode
  /** The label of the link to a page, or of the button for a dialog that says what to do. */
  action: string
  to?: string
  todo?: (hasCommand: boolean) => string
}

const NUMBERS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ')
const inWords = (number: number): string => NUMBERS[number] ?? String(number)
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const REASONS: Record<BackupReason, string> = {
  full: 'the disk was full',
  noAccess: 'the blog cannot write to the folder',
  tooLong: 'it took too long',
  busy: 'another backup was being made',
  interrupted: 'the blog was stopped',
  unsound: 'the copy was not sound',
  other: 'the log of the blog says why',
}

const schedule = ({ facts }: Parts): string =>
  facts.time === '03:00' || facts.time === '03:30'
    ? `each night, ${inWords(Number(facts.keep))} kept`
    : `each day at ${facts.time}, ${inWords(Number(facts.keep))} kept`

const lastBackup = ({ at, facts, size }: Parts): ReactNode =>
  at ? (
    <>
      Last one {at}, {size('sizeBytes')}.
    </>
  ) : (
    `The first one is made at ${facts.time}.`
  )

const WHAT_TO_DO = {
  action: 'What to do',
  todo: () => 'Run this line on the server, in the folder of the program. It says what to do.',
}

const checks: Record<HealthCode, HealthWords> = {
  mailSent: {
    sentence: () => 'Mails are sent.',
    action: 'Send a test mail',
    to: '/admin/settings',
  },
  mailKept: {
    sentence: () => 'No mail server is set up.',
    about: ({ facts }) => {
      const people = Number(facts.people)
      const waiting = people === 1 ? 'person is waiting' : 'people are waiting'
      const more = people > 0 ? ` ${capitalised(inWords(people))} ${waiting} for a link.` : ''
      return `Mails are kept on this server.${more}`
    },
    action: 'See kept mails',
    to: '/admin/mails',
  },
  mailOff: {
    sentence: () => 'Mail is switched off.',
    about: () => 'Nothing that needs mail is offered.',
    action: 'Blog settings',
    to: '/admin/settings',
  },
  mailSilent: {
    sentence: () => 'The mail server does not answer.',
    about: ({ facts }) => {
      const waiting = Number(facts.waiting)
      if (waiting === 0) return 'Mails are tried again for a few minutes, then they are lost.'
      return waiting === 1
        ? 'One mail is waiting and is sent as soon as it does.'
        : `${capitalised(inWords(waiting))} mails are waiting and are sent as soon as it does.`
    },
    action: 'Send a test mail',
    to: '/admin/settings',
  },
  backupsFine: {
    sentence: (parts) => `Backups: ${schedule(parts)}.`,
    about: lastBackup,
    action: 'Change',
    to: '/admin/backups',
  },
  backupsNone: {
    sentence: () => 'There are no backups.',
    about: ({ at }) =>
      at ? (
        <>The last one was made {at}. No more are made.</>
      ) : (
        'If this disk fails, everything is lost.'
      ),
    action: 'Turn on backups',
    to: '/admin/backups',
  },
  backupsSameDisk: {
    sentence: () => 'Backups are on the same disk as the blog.',
    about: (parts) => (
      <>
        {capitalised(schedule(parts))}. {lastBackup(parts)} They help after a mistake, but not if
        the disk fails.
      </>
    ),
    action: 'Choose another disk',
    to: '/admin/backups',
  },
  backupFailed: {
    sentence: () => 'The last backup failed.',
    about: ({ facts, at }) => (
      <>
        {capitalised(REASONS[facts.reason as BackupReason] ?? REASONS.other)}.{' '}
        {at ? <>The last good one was made {at}.</> : 'There is no good one.'}
      </>
    ),
    action: 'Choose another place',
    to: '/admin/backups',
  },
  backupOld: {
    sentence: () => 'The last backup is more than two days old.',
    about: lastBackup,
    action: 'See backups',
    to: '/admin/backups',
  },
  backupDamaged: {
    sentence: () => 'The last backup is damaged.',
    about: () => 'Make a new one.',
    action: 'See backups',
    to: '/admin/backups',
  },
  diskFine: {
    sentence: () => 'There is enough disk space.',
    about: ({ size }) => `${size('freeBytes')} are free. The blog uses ${size('usedBytes')}.`,
    action: 'See what uses space',
  },
  diskLow: {
    sentence: ({ size }) => `The disk is almost full: ${size('freeBytes')} are free.`,
    about: () => 'When it is full, nothing can be saved.',
    action: 'See what uses space',
  },
  settingsFine: {
    sentence: () => 'The settings are complete.',
    about: ({ facts }) =>
      facts.isAddressSet === 1
        ? 'The address of the blog is set on the server.'
        : 'The blog can be opened on this computer only.',
    action: 'Blog settings',
    to: '/admin/settings',
  },
  addressMissing: {
    sentence: () => 'The address of the blog is missing.',
    about: () => 'Links in emails and feeds do not work until it is set.',
    action: 'Set the address',
    todo: () =>
      'The address can only be set on the server. Run this line there with your address in it, and start the blog again.',
  },
  notEncrypted: {
    sentence: () => 'The connection to the blog is not encrypted.',
    about: () => 'Others on the way can read passwords.',
    action: 'What to do',
    todo: () =>
      'Put a web server with HTTPS in front of the blog, and set its address to one that begins with https. The operating guide has examples.',
  },
  setTwice: {
    sentence: () => 'One setting is set twice.',
    about: ({ facts }) =>
      `${capitalised(SETTING_NAMES[String(facts.name)] ?? 'A value')} is set here and on the server. The value on the server is used.`,
    action: 'Blog settings',
    to: '/admin/settings',
  },
  clockWrong: {
    sentence: () => 'The clock of the server is wrong.',
    about: () => 'Dates of posts, and how long links are valid, depend on it.',
    action: 'What to do',
    todo: () => 'Let the server set its clock by itself. On most systems this line does it.',
  },
  visitorsAlike: {
    sentence: () => 'The blog cannot tell its visitors apart.',
    about: () => 'When one of them reaches a limit, all of them do.',
    ...WHAT_TO_DO,
  },
  addressSilent: {
    sentence: () => 'The address of the blog could not be checked.',
    about: () => 'The server does not reach it, or may not check it.',
    ...WHAT_TO_DO,
  },
  settingsOdd: {
    sentence: () => 'Something on the server is not set up well.',
    about: () => 'The checks on the server say what.',
    ...WHAT_TO_DO,
  },
  checksLate: {
    sentence: () => 'The checks took too long.',
    about: () => 'They can be run on the server.',
    ...WHAT_TO_DO,
  },
  secretsFine: {
    sentence: () => 'The secrets are safe.',
    about: ({ at }) =>
      at ? <>Created {at}. Only this server can read them.</> : 'They are set on the server.',
    action: 'Generate new ones',
    todo: (hasCommand) =>
      hasCommand
        ? 'Only the server can do this. Stop the blog, run this line, and start it again: it generates new ones. Programs that use the key then need the new one.'
        : 'They are set on the server, and can only be changed there.',
  },
  secretsReadable: {
    sentence: () => 'Other programs on this server can read the secrets.',
    about: () => 'Only the blog should be able to.',
    action: 'Fix it',
    todo: () => 'Only the server can do this. Run this line there.',
  },
  secretsOdd: {
    sentence: () => 'The folder of the blog or a secret in it is not as it should be.',
    about: () => 'The checks on the server say what is wrong.',
    ...WHAT_TO_DO,
  },
  databaseFine: {
    sentence: () => 'The database is up to date.',
    about: ({ at }) => <>The last update was made {at}.</>,
    action: 'What changed',
    to: '/admin/activity?kind=settings',
  },
  databaseUnfinished: {
    sentence: () => 'The database did not finish its last update.',
    about: () => 'Restart the blog to finish the update.',
    ...WHAT_TO_DO,
  },
  databaseDamaged: {
    sentence: () => 'The database is damaged.',
    about: () => 'Restore the last good backup.',
    action: 'See backups',
    to: '/admin/backups',
  },
  filesMissing: {
    sentence: () => 'Pictures are missing or damaged.',
    about: () => 'The last good backup has them.',
    action: 'See backups',
    to: '/admin/backups',
  },
}

const SETTING_NAMES: Readonly<Record<string, string>> = {
  siteName: 'the name of the blog',
  about: 'the line about the blog',
  reading: 'who may read',
  registration: 'who may sign up',
}

export const adminServer = {
  adminServer: {
    days: {
      today: {
        heading: (clock: string) => `Today, ${clock}`,
        fact: (clock: string) => `today, ${clock}`,
        sentence: (clock: string) => `today at ${clock}`,
      },
      yesterday: {
        heading: (clock: string) => `Yesterday, ${clock}`,
        fact: (clock: string) => `yesterday, ${clock}`,
        sentence: (clock: string) => `yesterday at ${clock}`,
      },
    },
    copied: 'Copied.',
  },
  adminHealth: {
    title: 'Health',
    summary: (faults: number, warnings: number) => {
      if (faults > 0)
        return faults === 1
          ? 'One thing needs you.'
          : `${capitalised(inWords(faults))} things need you.`
      if (warnings === 0) return 'Everything is fine.'
      return warnings === 1
        ? 'One thing is worth a look.'
        : `${capitalised(inWords(warnings))} things are worth a look.`
    },
    checked: (time: ReactNode) => <>Checked {time}.</>,
    checkNow: 'Check now',
    checking: 'Checking',
    fine: 'Everything is fine.',
    seeChecked: 'See what was checked',
    levels: { ok: 'Fine', warning: 'Worth a look', fault: 'Needs you' } satisfies Record<
      HealthLevel,
      string
    >,
    checks,
    space: {
      database: 'Posts, comments, versions',
      pictures: (files: number) => `Pictures and other files (${files})`,
      backups: 'Backups',
      backupsNote: 'Files that did not change are stored once for all of them.',
      free: 'Free',
    },
  },
  adminBackups: {
    title: 'Backups',
    nightly: 'Each night',
    isOn: 'Back up each night',
    isOnHint: 'The blog keeps running.',
    tooLarge: 'The blog is larger than 1 GB: choose a folder on another disk, and turn backups on.',
    time: 'At',
    keep: 'How many are kept',
    folder: 'Folder on the server',
    folderHint:
      'Best on a different disk from the blog, so that one failing disk cannot take both.',
    otherDisk: (free: string) => `This one is, with ${free} free.`,
    sameDisk: (free: string) => `This is the disk of the blog. ${free} are free.`,
    problems: {
      notAbsolute: 'Write the whole path of a folder, such as /mnt/second-disk/lamplight.',
      notOwn: 'Choose a folder of its own, not one that holds the blog or the program.',
      notEmpty: 'This folder holds something else. Choose an empty one.',
      link: 'This folder is reached by a link. Write the path that the link leads to.',
      noAccess: 'The blog cannot write to this folder.',
    } satisfies Record<Exclude<FolderProblem, ''>, string>,
    saved: 'Saved.',
    now: 'Now',
    nowHint: 'Before a larger change, for example.',
    backUpNow: 'Back up now',
    backingUp: 'Backing up',
    progress: (done: string, total: string) => `Backing up, ${done} of ${total}`,
    continues: 'Reading and writing continue as usual. You can close this page.',
    succeeded: 'The backup is complete.',
    failed: 'The backup failed.',
    list: 'Backups',
    listHint: (keep: number) =>
      `${capitalised(inWords(keep))} are kept. The oldest is deleted when the next one is complete.`,
    none: 'There are no backups yet.',
    complete: 'complete',
    failedChip: 'failed',
    reasons: REASONS,
    nothingWritten: 'nothing was written',
    by: (name: ReactNode) => <>by {name}</>,
    download: 'Download',
    downloadOf: (time: string) => `Download the backup of ${time}`,
    deleteOf: (time: string) => `Delete the backup of ${time}`,
    deleting: {
      title: (time: string) => `Delete the backup of ${time}?`,
      text: 'It cannot be brought back.',
      confirm: 'Delete',
      done: 'The backup is deleted.',
    },
    downloadHint:
      'A download holds everything but the secrets of the server. Keep it where nobody else can read it.',
    restore: 'Restore a backup',
    restoreText: 'Stop the blog, run this line in its folder, and start it again.',
    restoreHint:
      'Posts, comments, pictures, accounts and settings return to that night. Everything newer is lost, so back up first.',
    restoreNone: 'The line to copy appears here once there is a backup.',
  },
}
