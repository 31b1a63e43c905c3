// The forms of an account, in one file because every form uses all of it: sending (one call at a
// time; a failure is shown until the next call, and fields keep their values), the words of a
// failure, and the fields.
import { Mailbox, MailCheck } from 'lucide-react'
import {
  type ComponentProps,
  type ReactNode,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useLocation, useNavigate } from 'react-router'
import { NAME_MAX_CHARS, PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS } from '#contract/limits.ts'
import { failureOf } from '../api/client.ts'
import { refusalText } from '../api/error-text.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { InputField, PasswordField } from '../ui/field.tsx'
import { returnStateOf } from './return-path.ts'

/** Reads a field of the form, as typed. */
export type Read = (name: string) => string

/** Between two mails to the same address. */
const MAIL_PAUSE_SECONDS = 60

/** @param send makes the call; what it throws is the `failure` */
export function useCall<Values extends unknown[]>(send: (...values: Values) => Promise<unknown>) {
  // Two presses may come before anything is rendered.
  const isSending = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<FormFailure | undefined>()

  async function call(...values: Values): Promise<void> {
    if (isSending.current) return
    isSending.current = true
    setBusy(true)
    setFailure(undefined)
    try {
      await send(...values)
    } catch (error) {
      setFailure(formFailureOf(error))
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }
  return { isBusy, failure, setFailure, call }
}

/** The same for a form. */
export function useForm(send: (read: Read, form: HTMLFormElement) => Promise<unknown>) {
  const { call, ...state } = useCall((form: HTMLFormElement) => send(readerOf(form), form))
  function handleSubmit(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault()
    void call(event.currentTarget)
  }
  return { ...state, handleSubmit }
}

export function readerOf(form: HTMLFormElement): Read {
  const values = new FormData(form)
  return (name) => String(values.get(name) ?? '')
}

/**
 * For the sign-in and sign-up forms: success leads to /dispatch, with the page that was asked for.
 * They leave no entry in the history: one press goes back to the page before.
 */
export function useAccountForm(send: (read: Read) => Promise<unknown>) {
  const location = useLocation()
  const navigate = useNavigate()
  return useForm(async (read) => {
    await send(read)
    await navigate('/dispatch', { replace: true, state: returnStateOf(location) })
  })
}

/** Asks for a mail, and waits before the next one. */
export function useMailRequest(request: (email: string) => Promise<unknown>) {
  /** The address that the last mail went to; undefined when the last request failed. */
  const [sentTo, setSentTo] = useState<string | undefined>()
  const [secondsLeft, startPause] = useCountdown(MAIL_PAUSE_SECONDS)
  const { call, setFailure, ...state } = useCall(async (email: string) => {
    if (secondsLeft > 0) return
    setSentTo(undefined)
    await request(email)
    setSentTo(email)
    startPause()
  })
  return { ...state, sentTo, secondsLeft, send: call, clearFailure: () => setFailure(undefined) }
}

export type MailRequest = ReturnType<typeof useMailRequest>

const { forms } = texts

type FieldName =
  | ('name' | 'about' | 'email' | 'password' | 'oldPassword' | 'passwordAgain')
  | ('siteName' | 'code')

/** Thrown by what a form sends. Its message is for above the form. */
export class FormFailure extends Error {
  /** Shown at these fields, too. */
  fields: Partial<Record<FieldName, string>> = {}
  /** The session is too old for a change that an account without a password asks for. */
  needsSignIn = false
  /** The emailed link cannot be used: used already, expired, replaced, or unknown. */
  isLinkSpent = false
}

/** A failure of one field, shown there and above the form. */
export function fieldFailure(field: FieldName, message: string): FormFailure {
  return Object.assign(new FormFailure(message), { fields: { [field]: message } })
}

/** The page compares a new password itself: the server gets it once. */
export function requireSamePasswords(read: (name: string) => string): string {
  if (read('password') !== read('passwordAgain'))
    throw fieldFailure('passwordAgain', forms.passwordsDiffer)
  return read('password')
}

/**
 * The server names the field in its message: ``Invalid `email` param: …``. What is shown is a
 * sentence of ours for that field and rule: the API's texts are for developers.
 *
 * @source product.md §4, §8, product.md §O29, api.md §1.4
 */
export function formFailureOf(error: unknown): FormFailure {
  if (error instanceof FormFailure) return error
  const failure = failureOf(error)
  const [, field, rule = ''] =
    /^Invalid `(name|email|password|oldPassword|passwordAgain)` param: (.+)$/s.exec(
      failure.message,
    ) ?? []
  if (field) return fieldFailure(field as FieldName, fieldText(field as FieldName, rule))
  // The server refuses a change of one's own account so only to a session that is too old.
  if (failure.type === 'user_unauthorized')
    return Object.assign(new FormFailure(texts.freshSignIn.needed), { needsSignIn: true })
  const message = refusalText(failure)
  if (failure.type.startsWith('password_')) return fieldFailure('password', message)
  const isLinkSpent = ['user_invalid_token', 'user_not_found'].includes(failure.type)
  return Object.assign(new FormFailure(message), { isLinkSpent })
}

function fieldText(field: FieldName, rule: string): string {
  if (field === 'email') return forms.notAnEmail
  if (field === 'name')
    return /one line/.test(rule) ? forms.nameNotPlain : forms.nameTooLong(NAME_MAX_CHARS)
  if (/most used/.test(rule)) return forms.commonPassword
  return forms.passwordLength(PASSWORD_MIN_CHARS, PASSWORD_MAX_CHARS)
}

export function isWrongPassword(error: unknown): boolean {
  return failureOf(error).type === 'user_invalid_credentials'
}

/** The session has ended. A wrong password is a 401, too: the type tells them apart. */
export function isSessionGone(error: unknown): boolean {
  return failureOf(error).type === 'general_unauthorized_scope'
}

const TICK_MS = 250

/** @returns the seconds left, 0 when there is nothing to wait for, and how to start over */
function useCountdown(seconds: number): [secondsLeft: number, start: () => void] {
  const [untilMs, setUntilMs] = useState(0)
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (!untilMs) return
    // By the time that has passed, not by counted ticks: a page in the background gets few.
    const timer = setInterval(() => {
      const now = Math.max(0, Math.ceil((untilMs - performance.now()) / 1000))
      setLeft(now)
      if (now === 0) setUntilMs(0)
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [untilMs])
  const start = useCallback(() => {
    setUntilMs(performance.now() + seconds * 1000)
    setLeft(seconds)
  }, [seconds])
  return [left, start]
}

/** An e-mail address; the value is called `email`. */
export function EmailField(props: Partial<ComponentProps<typeof InputField>>) {
  return (
    <InputField
      label={texts.fields.email}
      type="email"
      name="email"
      autoComplete="email"
      inputMode="email"
      {...props}
    />
  )
}

/** A new password, typed twice. The values are called `password` and `passwordAgain`. */
export function NewPasswordFields({ failure }: { failure: FormFailure | undefined }) {
  return (
    <>
      <PasswordField
        label={texts.newPassword.once}
        hint={texts.forms.passwordHint}
        error={failure?.fields.password}
        name="password"
        autoComplete="new-password"
      />
      <PasswordField
        label={texts.newPassword.again}
        error={failure?.fields.passwordAgain}
        name="passwordAgain"
        autoComplete="new-password"
      />
    </>
  )
}

/** Tells a password manager whose password a form is about. Many need a field that is drawn. */
export function UsernameHint({ email }: { email: string }) {
  return (
    <input
      className="visually-hidden"
      type="text"
      name="username"
      autoComplete="username"
      value={email}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  )
}

type FormOutcomeProps = { failureText: ReactNode; doneText: ReactNode }

/**
 * The outcome of the last submit, above the fields. The region is there from the start, so that
 * screen readers announce it.
 */
export function FormOutcome({ failureText, doneText }: FormOutcomeProps) {
  return (
    <>
      {failureText && <Alert kind="error">{failureText}</Alert>}
      <div role="status" className="form-message">
        {doneText && (
          <Alert kind="ok" isQuiet>
            {doneText}
          </Alert>
        )}
      </div>
    </>
  )
}

type MailButtonProps = ComponentProps<typeof Button> & {
  mail: Pick<MailRequest, 'isBusy' | 'secondsLeft'>
  label: string
}

/** Asks for a mail: busy meanwhile, then counting down to the next one. */
export function MailButton({ mail, label, ...rest }: MailButtonProps) {
  const { isBusy, secondsLeft } = mail
  return (
    <Button
      busyLabel={texts.mails.sendingLink}
      {...rest}
      isBusy={isBusy}
      aria-disabled={secondsLeft > 0}
    >
      {secondsLeft > 0 ? texts.mailNews.againIn(secondsLeft) : label}
    </Button>
  )
}

type LinkAskedProps = { isKept: boolean; keptText: ReactNode; sentText: ReactNode }

/** After a link was asked for: it is on its way, or kept on a server that sends no mail. */
export function LinkAsked({ isKept, keptText, sentText }: LinkAskedProps) {
  return isKept ? (
    <Alert kind="warn" Icon={Mailbox} isQuiet>
      {texts.keptMails.noMail} {keptText}
    </Alert>
  ) : (
    <Alert kind="ok" Icon={MailCheck} isQuiet>
      {sentText}
    </Alert>
  )
}
