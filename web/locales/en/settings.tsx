// English texts. The settings of an account and of this device.
import type { ReactNode } from 'react'
import { countWord } from './shared.ts'

export const settings = {
  /** The pages of the settings. */
  settingsSections: {
    profile: 'Profile',
    signIn: 'Sign-in',
    writing: 'Writing',
    notifications: 'Notifications',
    language: 'Language and dates',
    files: 'Files',
    data: 'Import and export',
    deletion: 'Delete account',
  },
  settingsLeaving: {
    title: 'Leave without saving?',
    text: 'What you changed here has not been saved.',
  },
  nameSection: {
    title: 'Name and picture',
    text: 'Shown with your posts and comments.',
    form: 'Change name',
    missing: 'Write a name first.',
  },
  nameSaving: { button: 'Save name', busy: 'Saving the name', done: 'Your name is saved.' },
  aboutSection: {
    title: 'About you',
    text: 'Shown on your page and after your posts.',
    form: 'Change your bio',
    label: 'Bio',
    hint: 'Plain words, no links. Empty is fine.',
    count: (letters: number, most: number) => `${letters} of ${most}`,
    tooLong: (most: number, over: number) =>
      `The bio can have ${most} characters at most. Remove ${over}.`,
  },
  aboutSaving: { button: 'Save bio', busy: 'Saving the bio', done: 'Your bio is saved.' },
  emailSection: {
    title: 'Email',
    text: 'What you sign in with. Nobody else sees it.',
    newEmail: 'New email',
    choosePassword: 'Choose a password',
    choosePasswordHint: 'Your account has no password yet. This becomes it: at least 8 characters.',
  },
  emailSaving: {
    button: 'Change email',
    busy: 'Changing the email',
    done: 'Your email is changed. The new address is not verified yet.',
  },
  passwordSection: {
    title: 'Password',
    text: 'A new password signs you out on all other devices.',
  },
  passwordSaving: {
    button: 'Change password',
    set: 'Set password',
    busy: 'Changing the password',
    done: 'Your password is changed. Your other devices are signed out.',
  },
  signInMethods: {
    title: 'Sign-in methods',
    text: 'One method has to stay. Removing one signs out the sessions that began with it.',
    changed: (time: ReactNode) => <>Changed {time}</>,
    change: 'Change',
    google: 'Google',
    times: (linked: ReactNode, used: ReactNode) => (
      <>
        linked {linked}, last used {used}
      </>
    ),
    remove: 'Remove',
    removeGoogle: 'Remove Google as a sign-in method',
    removed: 'Google is removed.',
    onlyMethod: 'This is your only way in. Set a password first.',
    noPassword: 'You have no password yet. Links by email let you in.',
    setPassword: 'Set a password',
    notLinked: (email: ReactNode) => <>Not linked. Choose the Google account of {email}.</>,
    confirmFirst: 'Not linked. Confirm your email first.',
    link: 'Link Google',
  },
  removal: {
    question: 'Remove Google?',
    button: 'Remove Google',
    thisAccount: 'this Google account',
    noLonger: (address: ReactNode) => <>You can no longer sign in with {address}.</>,
    passwordStays: 'Your password stays.',
    sessionsEnd: (others: number) =>
      others === 0
        ? 'You stay signed in here.'
        : others === 1
          ? 'One other session that began with Google ends now.'
          : `${countWord(others)} other sessions that began with Google end now.`,
  },
  recentSignIn: {
    needed: 'Please sign in again first.',
    forEmail: 'Without a password, changing the address takes a sign-in of the last ten minutes.',
    forPassword: 'The first password takes a sign-in of the last ten minutes.',
    forDeletion: 'Your account has no password. Sign in again, and delete it within ten minutes.',
    again: 'Sign in again, then change it here.',
    google: 'Sign in with Google again',
    sent: 'A sign-in link is on its way. Open it in this browser.',
  },
  appearance: {
    title: 'Appearance',
    text: 'Kept with your account. Both follow you to your other devices.',
    bars: { legend: 'Bottom bar', shown: 'Shown', hidden: 'Hidden' },
    notSaved: 'Your choice was not saved.',
  },
  dateLanguages: {
    title: 'Language and dates',
    text: 'For you, on all your devices. Posts keep their own language.',
    label: 'Language of dates',
    browser: 'As in this browser',
    today: (date: string) => `Today reads: ${date}`,
    /** Each name in its own language. */
    names: {
      'en-GB': 'English (UK)',
      'en-US': 'English (US)',
      de: 'Deutsch',
      es: 'Español',
      fr: 'Français',
      it: 'Italiano',
      pl: 'Polski',
      pt: 'Português',
      tr: 'Türkçe',
      uk: 'Українська',
      ar: 'العربية',
      ja: '日本語',
    },
  },
  writingChoices: {
    title: 'Writing',
    text: 'How the editor behaves for you.',
    bars: {
      legend: 'Above the text',
      both: { name: 'Menu bar and toolbar' },
      toolbar: { name: 'Toolbar only', hint: 'The menus stay reachable with Alt + F9.' },
    },
    markdown: {
      legend: 'When Markdown is pasted',
      formatted: {
        name: 'Make it formatted text',
        hint: 'You can take it back once with “Keep as typed”.',
      },
      typed: { name: 'Keep it as typed' },
    },
  },
  readNumbers: {
    title: 'Read counts',
    text: 'Counted without cookies and without addresses. Only you see them.',
    choice: 'Count the reads of my posts',
    hint: 'Turned off, the days already counted are deleted.',
  },
  sessions: {
    title: 'Sessions',
    text: 'Where you are signed in. End what you do not know.',
    endAll: 'Sign out on all devices',
    older: (count: number) => (count === 1 ? 'One older session' : `${count} older sessions`),
    olderList: 'Older sessions',
  },
  session: {
    thisDevice: 'This device',
    unknownDevice: 'Unknown device',
    on: (client: string, device: string) => `${client} on ${device}`,
    since: (time: ReactNode) => <>Since {time}</>,
    methods: { password: 'with a password', link: 'by an emailed link', google: 'with Google' },
    end: (device: string, since: string) => `Sign out: ${device}, since ${since}`,
    ended: 'That session has ended.',
    endedHere: 'You are signed out on this device.',
  },
  deletion: {
    title: 'Delete account',
    text: 'All your posts, likes and files are permanently deleted with it. Download your data first if you want to keep it.',
    noPassword: 'Type your password first.',
    button: 'Delete my account',
    question: 'Delete your account?',
    warning:
      'Your posts, your likes and all your files are permanently deleted, and you are signed out everywhere. This cannot be undone.',
    keep: 'Keep it',
    done: 'Your account is deleted.',
  },
}
