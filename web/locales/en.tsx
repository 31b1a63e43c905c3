// Every text of the web app in English, by part and screen; a translation is a copy of this file (CONTRIBUTING.md, decision 0016). Whole
// sentences, and functions where values come in, so that each language says them in its own order. Knows nothing of screens.

export const en = {
  /** BCP 47: the `lang` of every page, and how its numbers are written. */
  language: 'en',
  direction: 'ltr' as 'ltr' | 'rtl',

  // Said in several places
  places: { home: 'home', allPosts: 'All posts', dashboard: 'Dashboard', newPost: 'New post', settings: 'Settings', notFound: '404 Not Found' },
  actions: { close: 'Close', cancel: 'Cancel', tryAgain: 'Try again', loadMore: 'Load more', keepWriting: 'Keep writing', submit: 'Submit' },
  signing: { in: 'Sign in', up: 'Sign up', out: 'Sign out', goingIn: 'Signing in', goingOut: 'Signing out', logIn: 'Log in' },
  waiting: { screen: 'Loading', page: 'Loading...', post: 'Loading Post ...', posts: 'Loading Posts ...' },
  fields: { name: 'Name', email: 'Email', password: 'Password', currentPassword: 'Current password' },
  failures: {
    title: 'Something went wrong',
    titleAgain: 'Something went wrong ... Please try again',
    noAnswer: 'The server did not answer. Check your connection and try again.',
    checkConnection: 'Check your connection and try again.',
    tooManyTries: 'Too many tries. Wait a minute.',
    signedOut: 'You were signed out. Sign in to go on.',
    stillSignedIn: 'You are still signed in: the server did not answer.',
  },
  signedOutEverywhere: 'You are signed out on all devices.',

  // ui
  passwordInput: { show: 'Show password' },
  toasts: { region: 'Notifications' },

  // files
  images: {
    wrongType: 'This file is not a PNG, JPG, JPEG or GIF.',
    unreadable: 'This image can not be read. Choose another one.',
    empty: 'This file is empty.',
  },
  imageField: { preview: (label: string) => `Preview: ${label}`, letGo: 'Let go to use this image', replace: 'Replace', remove: 'Remove' },
  uploads: {
    cancel: 'Cancel upload',
    heard: (label: string, percent: number) => `${label}: ${percent} percent`,
    progress: (sent: number, total: string) => `${sent} of ${total}`,
    size: { kilobytes: (count: number) => `${count} KB`, megabytes: (count: number) => `${count} MB` },
  },
}
