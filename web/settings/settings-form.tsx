// Shared parts of the settings' sections: heading and frame, the form that saves a change, the new
// sign-in that some changes require, and lists.
import { type ReactNode, type Ref, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { Account } from '#contract/accounts.ts'
import { requestSignInLink } from '../accounts/accounts-api.ts'
import { leaveForGoogle } from '../accounts/google-button.tsx'
import { MailButton, useMailRequest } from '../accounts/mail-requests.tsx'
import { nextQueryOf } from '../accounts/return-path.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import {
  type FormFailure,
  fieldFailure,
  formFailureOf,
  isSessionGone,
  isWrongPassword,
} from '../forms/form-failure.ts'
import { FormOutcome } from '../forms/form-parts.tsx'
import { type Read, useForm } from '../forms/use-form.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { LoadingText } from '../ui/screens.tsx'

type SettingsSectionProps = { title: string; text?: ReactNode; id?: string; children: ReactNode }

/** One part of a page: a heading, an explanation, its form or list. */
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
  /** The field of the current password. It shows the message for a wrong password. */
  passwordField?: 'password' | 'oldPassword'
  /** Why the form requires a recent sign-in; undefined for accounts with a password. */
  signInText?: string | undefined
  /** Returns the changed account. Then the form is reset, and says that the change is saved. */
  onSave: (read: Read) => Promise<Account>
  children: (fields: FormFailure['fields'], failure: FormFailure | undefined) => ReactNode
}

/** The button becomes the primary one as soon as there is something to save. */
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
      // When the session has ended, the guard redirects to the sign-in form, which says so.
      if (isSessionGone(error)) await refresh()
      throw passwordField && isWrongPassword(error) ? wrongPassword(passwordField) : error
    }
  })
  return (
    <>
      {signInText && failure?.needsSignIn && <SignInAgain text={texts.recentSignIn.again} />}
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

/** The form asks only for a password, so the server's text, "email or password", does not fit. */
export function wrongPassword(field: 'password' | 'oldPassword'): FormFailure {
  return fieldFailure(field, texts.forms.wrongPassword)
}

/** @param except fields that match this selector do not count */
export function hasChange(form: HTMLFormElement, except?: string): boolean {
  return [...form.elements].some(
    (field) =>
      !(except && field.matches(except)) &&
      (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
      field.value !== field.defaultValue,
  )
}

/** Offers a new sign-in to users without a password, which proves that it is really them. */
export function SignInAgain({ text }: { text: string }) {
  const api = useApi()
  const { userData } = useViewer()
  const email = userData?.email ?? ''
  const next = nextQueryOf({ state: { from: useLocation().pathname }, search: '' })
  const mail = useMailRequest((to) => requestSignInLink(api, to, next))
  const isKept = api.settings.mail === 'kept'
  const doneText = isKept ? texts.outboxMails.signIn(<bdi>{email}</bdi>) : texts.recentSignIn.sent
  return (
    <>
      <p>{text}</p>
      <FormOutcome
        failureText={mail.failure?.message}
        doneText={mail.sentTo !== undefined && doneText}
      />
      <div className="row">
        {api.settings.hasGoogle && (
          <Button onClick={() => leaveForGoogle(api, next)}>{texts.recentSignIn.google}</Button>
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

// A list in the settings: first as the server sent it with the page, then as calls change it.

type ListOptions<Value> = {
  /** The list as the server sent it with the page. */
  initial: Value | undefined
  load: () => Promise<Value>
  /** Another value loads the list again. */
  reloadKey?: unknown
}

export function useSettingsList<Value>({ initial, load, reloadKey }: ListOptions<Value>) {
  const { refresh } = useViewer()
  const [value, setValue] = useState(initial)
  const [failureText, setFailureText] = useState<string | undefined>()
  /** Identifies the pending call by the id of its row, or by a name such as `page`. */
  const [pendingAction, setPendingAction] = useState<string | undefined>()
  const isLoaded = useRef(initial !== undefined)

  /** Makes a call, and shows its failure above the list. */
  async function attempt(action: string, call: () => Promise<void>): Promise<void> {
    setPendingAction(action)
    setFailureText(undefined)
    try {
      await call()
    } catch (error) {
      if (isSessionGone(error)) await refresh()
      setFailureText(formFailureOf(error).message)
    } finally {
      setPendingAction(undefined)
    }
  }
  const reload = () => void attempt('page', async () => setValue(await load()))
  const loadNow = useEffectEvent(reload)
  useEffect(() => {
    if (!isLoaded.current) loadNow()
    isLoaded.current = false
  }, [reloadKey])
  return { value, setValue, failureText, pendingAction, attempt, reload }
}

type SettingsListProps = {
  list: Pick<ReturnType<typeof useSettingsList>, 'value' | 'failureText' | 'reload'>
  loadingText?: string
  /** Receives the focus when a button is removed with its row. */
  ref: Ref<HTMLDivElement>
  children: ReactNode
}

export function SettingsList({ list, loadingText, ref, children }: SettingsListProps) {
  const { value, failureText, reload } = list
  return (
    <div ref={ref} tabIndex={-1} className="stack">
      {failureText && <Alert kind="error">{failureText}</Alert>}
      {!value && !failureText && <LoadingText>{loadingText ?? texts.loading.page}</LoadingText>}
      {!value && failureText && (
        <div className="row">
          <Button onClick={reload}>{texts.actions.tryAgain}</Button>
        </div>
      )}
      {children}
    </div>
  )
}
