// What the sections of the settings share: heading and frame, the form that saves a change, and the
// new sign-in that some changes take.
import { type ReactNode, useId, useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { requestSignInLink } from '../accounts/accounts-api.ts'
import {
  type FormFailure,
  fieldFailure,
  isSessionGone,
  isWrongPassword,
} from '../accounts/form-failure.ts'
import { FormOutcome, MailButton } from '../accounts/form-fields.tsx'
import { leaveForGoogle } from '../accounts/google-button.tsx'
import { SETTINGS_NEXT } from '../accounts/return-path.ts'
import { type Read, useForm, useMailRequest } from '../accounts/use-form.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'

type SettingsSectionProps = { title: string; text?: ReactNode; id?: string; children: ReactNode }

/** One part of the settings: a heading, an explanation, its form or list. */
export function SettingsSection({ title, text, id, children }: SettingsSectionProps) {
  const titleId = useId()
  return (
    <section className="setting" id={id} aria-labelledby={titleId}>
      <div className="setting__head">
        <h2 id={titleId}>{title}</h2>
        {text && <p className="subtitle">{text}</p>}
      </div>
      <div className="box stack panel">{children}</div>
    </section>
  )
}

type SettingsFormProps = {
  label: string
  words: { button: string; busy: string; done: string }
  /** The field of the current password, which shows the message for a wrong one. */
  passwordField?: 'password' | 'oldPassword'
  /** Why the form takes a fresh sign-in; undefined for accounts with a password. */
  signInText?: string | undefined
  /** Answers the changed account. The form is reset then, and says that it is saved. */
  onSave: (read: Read) => Promise<Account>
  children: (fields: FormFailure['fields'], failure: FormFailure | undefined) => ReactNode
}

/** The button is bright once there is something to save. */
export function SettingsForm(props: SettingsFormProps) {
  const { label, words, passwordField, signInText, onSave, children } = props
  const { setAccount, refresh } = useViewer()
  const [isDone, setDone] = useState(false)
  const [isChanged, setChanged] = useState(false)
  const { isBusy, failure, handleSubmit } = useForm(async (read, form) => {
    setDone(false)
    try {
      setAccount(await onSave(read))
      setDone(true)
      form.reset()
    } catch (error) {
      // The session has ended: the guard then leads to the sign-in form, which says so.
      if (isSessionGone(error)) await refresh()
      throw passwordField && isWrongPassword(error) ? wrongPassword(passwordField) : error
    }
  })
  return (
    <>
      {signInText && failure?.needsSignIn && <SignInAgain text={texts.freshSignIn.again} />}
      {signInText && !failure?.needsSignIn && <p className="hint">{signInText}</p>}
      <FormOutcome failureText={failure?.message} doneText={isDone && words.done} />
      <form
        noValidate
        aria-label={label}
        className="stack"
        onSubmit={handleSubmit}
        onInput={({ currentTarget }) => setChanged(hasChange(currentTarget))}
        onReset={() => setChanged(false)}
      >
        {children(failure?.fields ?? {}, failure)}
        <div className="row">
          <Button
            kind={isChanged ? 'primary' : 'secondary'}
            type="submit"
            isBusy={isBusy}
            busyLabel={words.busy}
          >
            {words.button}
          </Button>
        </div>
      </form>
    </>
  )
}

/** Only the password was asked for: the server's text, "e-mail or password", does not fit here. */
export function wrongPassword(field: 'password' | 'oldPassword'): FormFailure {
  return fieldFailure(field, texts.forms.wrongPassword)
}

function hasChange(form: HTMLFormElement): boolean {
  return [...form.elements].some(
    (field) =>
      (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
      field.value !== field.defaultValue,
  )
}

/** For accounts without a password: a new sign-in shows that it is really them. */
export function SignInAgain({ text }: { text: string }) {
  const api = useApi()
  const { userData } = useViewer()
  const email = userData?.email ?? ''
  const mail = useMailRequest((to) => requestSignInLink(api, to, SETTINGS_NEXT))
  const isKept = api.settings.mail === 'kept'
  const doneText = isKept ? texts.keptMails.signIn(<bdi>{email}</bdi>) : texts.freshSignIn.sent
  return (
    <>
      <p>{text}</p>
      <FormOutcome
        failureText={mail.failure?.message}
        doneText={mail.sentTo !== undefined && doneText}
      />
      <div className="row">
        {api.settings.hasGoogle && (
          <Button onClick={() => leaveForGoogle(api, SETTINGS_NEXT)}>
            {texts.freshSignIn.google}
          </Button>
        )}
        {api.settings.mail !== 'off' && (
          <MailButton
            mail={mail}
            label={texts.mails.signInLink}
            onClick={() => void mail.send(email)}
          />
        )}
      </div>
    </>
  )
}
