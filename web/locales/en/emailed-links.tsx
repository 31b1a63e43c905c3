// English texts of the screens about emailed links and codes. The mails themselves are in
// backend/accounts/mails.ts.
import type { ReactNode } from 'react'

export const mails = {
  mails: {
    sendingLink: 'Sending the link',
    sendingMail: 'Sending the email',
    newLink: 'Send a new link',
    signInLink: 'Email me a link',
  },
  mailNotices: {
    sendAgainIn: (seconds: number) => `Send again in ${seconds} s`,
    sent: 'Sent. Check your inbox.',
    expired: 'This link has expired',
  },
  /** For a blog without a mail server: it keeps its mails on its own server. */
  outboxMails: {
    noMail: <b>This site sends no email yet.</b>,
    recovery: (email: ReactNode) => (
      <>
        If an account uses {email}, its link is kept on the server. Ask an operator for it; it works
        for one hour.
      </>
    ),
    signIn: (email: ReactNode) => (
      <>
        The sign-in link for {email} is kept on the server. Ask an operator for it; it works once,
        for ten minutes.
      </>
    ),
    signInIfKnown: (email: ReactNode) => (
      <>
        If an account uses {email}, its sign-in link is kept on the server. Ask an operator for it;
        it works once, for ten minutes.
      </>
    ),
    seeKept: 'See kept mails',
    created: 'The link is made. It works for one hour.',
    intro: 'Tell us your email, and a link to choose a new one is made.',
    expired: 'Links work once, for a short time. Make a new one, and ask an operator for it.',
    createLink: 'Make a new link',
    creatingLink: 'Making the link',
  },
  signInLink: {
    screen: 'Sign-in link',
    title: (site: string) => `Sign in to ${site}`,
    text: 'Your link is good for one sign-in on this device.',
    signedInAs: (name: ReactNode) => (
      <>You are signed in as {name}. The link may belong to another account.</>
    ),
    expired:
      'Sign-in links work once, for a short time. Ask for a fresh one and use the newest email.',
    getNew: 'Get a new link',
    sentTo: (email: ReactNode) => (
      <>A sign-in link is on its way to {email}. It works once, for ten minutes.</>
    ),
    sentIfKnown: (email: ReactNode) => (
      <>If an account uses {email}, a sign-in link is on its way. It works once, for ten minutes.</>
    ),
  },
  forgot: {
    title: 'Forgot your password?',
    screen: 'Forgot password',
    form: 'Password recovery',
    send: 'Send link',
  },
  forgotTexts: {
    intro: 'Tell us your email and we will send a link to choose a new one.',
    sentIfKnown: (email: ReactNode) => (
      <>If an account uses {email}, a link is on its way. It works for one hour.</>
    ),
    noMail: 'This site sends no email. Ask an operator for a link to sign in.',
  },
  forgotBack: { dashboard: 'Back to the dashboard', signIn: 'Back to sign in' },
  recoveryLink: {
    screen: 'Email link',
    expired: 'Links work once, for one hour. Ask for a fresh one and use the newest email.',
    incomplete: 'This link is incomplete',
    incompleteText:
      'Open it again from the email, or ask for a fresh one. Your password has not changed.',
  },
  newPassword: {
    title: 'Choose a new password',
    form: 'Password reset',
    label: 'New password',
    repeat: 'New password again',
  },
  newPasswordSaving: { button: 'Save password', busy: 'Saving the password' },
  verification: {
    screen: 'Verification',
    processing: 'Processing Google authentication...',
    wait: 'This takes a second or two.',
  },
  nothingToVerify: {
    title: 'There is nothing to verify',
    text: 'This page finishes a sign-in with Google or confirms an email address. Nothing came with the address, so start again.',
  },
  confirmEmail: {
    title: 'Confirm your email',
    button: 'Confirm email',
    busy: 'Confirming your email',
    done: 'Your email is verified',
  },
  confirmEmailTexts: {
    intro: 'One press, and this site knows that the address is yours.',
    toDashboard: 'Taking you to your dashboard.',
    toSignIn: 'Sign in to continue.',
    expiredSignedOut: 'Links work once, for one hour. Sign in to ask for a fresh one.',
  },
  emailState: {
    verified: 'Email verified',
    notVerified: (email: ReactNode) => <>{email} is not verified yet.</>,
    send: 'Send the email again',
    sentTo: (email: ReactNode) => <>Sent to {email}.</>,
    askOperator: 'An operator can pass the link on to you.',
  },
  passwordChanged: 'Password changed. Sign in with the new one.',
}
