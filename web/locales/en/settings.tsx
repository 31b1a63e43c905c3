// English texts. The settings of an account and of this device.
import type { ReactNode } from 'react'

export const settings = {
  nameSection: {
    title: 'Name',
    text: 'Stands under your posts.',
    form: 'Change name',
    missing: 'Write a name first.',
  },
  nameSaving: { button: 'Save name', busy: 'Saving the name', done: 'Your name is saved.' },
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
  appearance: {
    title: 'Appearance',
    text: 'Kept with your account. The theme follows you to your other devices.',
    bars: { legend: 'Bottom bar', shown: 'Shown', hidden: 'Hidden' },
    notSaved: 'Your choice was not saved.',
  },
  sessions: {
    title: 'Sessions',
    text: 'Where you are signed in. End what you do not know.',
    endAll: 'Sign out on all devices',
  },
  session: {
    here: 'This device',
    unknownDevice: 'Unknown device',
    on: (client: string, device: string) => `${client} on ${device}`,
    since: (time: ReactNode) => <>Since {time}</>,
    ways: { password: 'with a password', link: 'by an emailed link', google: 'with Google' },
    end: (device: string, since: string) => `Sign out: ${device}, since ${since}`,
    ended: 'That session has ended.',
    endedHere: 'You are signed out on this device.',
  },
  dataSection: {
    title: 'Your data',
    text: 'Your account and posts as JSON, and your images as you uploaded them, in one zip file.',
    download: 'Download my data',
  },
  deletion: {
    title: 'Delete account',
    text: 'All your posts, likes and files go with it, for good. Download your data first if you want to keep it.',
    noPassword: 'Type your password first.',
    button: 'Delete my account',
    question: 'Delete your account?',
    warning:
      'Your posts, your likes and all your files go for good, and you are signed out everywhere. This cannot be undone.',
    keep: 'Keep it',
    done: 'Your account is deleted.',
  },
  freshLink: {
    text: 'Your account has no password. Sign in afresh, and delete it within ten minutes.',
    sent: 'A sign-in link is on its way. Open it in this browser.',
  },
}
