// /setup: sets up a blog that has no operator yet: its name, its first operator, and its readers.
// Unless the server knows that the browser runs on the same machine, the page asks for the code
// that the server printed when it started.
import { CircleCheck, KeyRound, Lock } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { NAME_MAX_CHARS } from '#contract/limits.ts'
import type { NewSetup, Setup } from '#contract/setup.ts'
import {
  ABOUT_MAX_CHARS,
  SITE_NAME_MAX_CHARS,
  type SiteValueName,
} from '#contract/site-settings.ts'
import { type Api, failureOf, useApi } from '../api/client.ts'
import { FormFailure, fieldFailure } from '../forms/form-failure.ts'
import { EmailField } from '../forms/form-parts.tsx'
import { type Read, useForm } from '../forms/use-form.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { InputField, PasswordField } from '../ui/field.tsx'
import { MessageScreen, PageTitle } from '../ui/screens.tsx'
import { usePolling } from '../ui/use-polling.ts'
import './setup-sheets.css'

/** How often a waiting page checks whether the blog is set up. */
const RECHECK_MS = 15_000
const { setup } = texts

export function SetupPage() {
  const { settings } = useApi()
  const [query] = useSearchParams()
  const hasForm = settings.setup?.state === 'open' || query.has('code')
  return hasForm ? <SetupForm /> : <Waiting />
}

/** This screen reveals neither host, version nor names. */
function Waiting() {
  const api = useApi()
  usePolling(
    () =>
      void callSetup(api, 'get').then(
        ({ state }) => state !== 'code' && location.reload(),
        () => {},
      ),
    { isOn: true, everyMs: RECHECK_MS },
  )
  return (
    <MessageScreen
      screen={setup.screen}
      art="searching"
      title={setup.waiting}
      actions={
        <ButtonLink kind="secondary" to="/setup?code">
          {setup.enterCode}
        </ButtonLink>
      }
    >
      <p>{setup.waitingText}</p>
    </MessageScreen>
  )
}

function SetupForm() {
  const api = useApi()
  const [hasAccount, setHasAccount] = useState(false)
  const [query] = useSearchParams()
  const { isBusy, failure, handleSubmit } = useForm(async (read) => {
    await send(api, read, { hasAccount })
    // From now on the server sends other pages.
    location.assign('/post')
  })
  const errorType = query.get('error')
  const shownFailure =
    failure ??
    (errorType === null
      ? undefined
      : (failureOfType(errorType) ?? new FormFailure(setup.failures.other)))
  const needsCode = api.settings.setup?.state === 'code' || shownFailure?.fields.code !== undefined
  return (
    <form
      className="setup"
      method="post"
      action="/v1/setup"
      noValidate
      aria-label={setup.form}
      onSubmit={handleSubmit}
    >
      <PageTitle screen={setup.screen} />
      <div className="setup__head">
        <h1>{setup.title}</h1>
        <p className="lead-line">{setup.lead}</p>
      </div>
      {shownFailure && (
        <>
          <Alert kind="error" takesFocus>
            {shownFailure.message}
          </Alert>
          {shownFailure === BY_TYPE.setup_done && (
            <ButtonLink to="/login">{texts.signing.logIn}</ButtonLink>
          )}
        </>
      )}
      {needsCode ? <CodeStep error={shownFailure?.fields.code} /> : <OnThisHost />}
      <NameStep fields={shownFailure?.fields ?? {}} />
      <AccountStep
        fields={shownFailure?.fields ?? {}}
        hasAccount={hasAccount}
        setHasAccount={setHasAccount}
      />
      <ReadingStep />
      <Button kind="primary" type="submit" isWide isBusy={isBusy} busyLabel={setup.busy}>
        {setup.open}
      </Button>
    </form>
  )
}

function OnThisHost() {
  return (
    <p className="hint setup__here">
      <CircleCheck className="icon icon--small" aria-hidden="true" />
      {setup.onlyHere}
    </p>
  )
}

type StepProps = { mark: ReactNode; title: string; text: string; children: ReactNode }

function Step({ mark, title, text, children }: StepProps) {
  const id = useId()
  return (
    <section className="setup__step" aria-labelledby={id}>
      <header>
        <i aria-hidden="true">{mark}</i>
        <h2 id={id}>{title}</h2>
        <p>{text}</p>
      </header>
      {children}
    </section>
  )
}

function CodeStep({ error }: { error: string | undefined }) {
  const icon = <KeyRound className="icon icon--small" />
  return (
    <div className="setup__code">
      <Step mark={icon} title={setup.code.title} text={setup.code.text}>
        <InputField
          label={setup.code.label}
          hint={setup.code.lost}
          error={error}
          name="code"
          className="setup__signs"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
        />
      </Step>
    </div>
  )
}

type Fields = FormFailure['fields']

/** If the field is left empty, the blog keeps its name. */
function NameStep({ fields }: { fields: Fields }) {
  const { settings } = useApi()
  const isNameFixed = settings.setup?.fixed.includes('siteName')
  return (
    <Step mark={1} title={setup.name.title} text={setup.name.text}>
      <InputField
        label={setup.name.label}
        error={fields.siteName}
        name="siteName"
        defaultValue={isNameFixed ? settings.siteName : ''}
        placeholder={settings.siteName}
        maxLength={SITE_NAME_MAX_CHARS}
        dir="auto"
        {...useFixed('siteName', setup.name.hint(SITE_NAME_MAX_CHARS))}
      />
      <InputField
        label={
          <>
            {setup.about.label} <span className="field__kind">{setup.about.kind}</span>
          </>
        }
        error={fields.about}
        name="about"
        defaultValue={settings.about}
        maxLength={ABOUT_MAX_CHARS}
        dir="auto"
        {...useFixed('about', setup.about.hint)}
      />
    </Step>
  )
}

/** Values set in the server's settings are shown, but cannot be changed here. */
function useFixed(name: SiteValueName, hint: string): { hint: ReactNode; readOnly?: true } {
  const { settings } = useApi()
  if (!settings.setup?.fixed.includes(name)) return { hint }
  const locked = (
    <>
      <Lock className="icon icon--small" aria-hidden="true" /> {setup.fixed}
    </>
  )
  return { hint: locked, readOnly: true }
}

type AccountStepProps = {
  fields: Fields
  hasAccount: boolean
  setHasAccount: (hasAccount: boolean) => void
}

function AccountStep({ fields, hasAccount, setHasAccount }: AccountStepProps) {
  const { account } = setup
  return (
    <Step mark={2} title={hasAccount ? account.known : account.title} text={account.text}>
      <div hidden={hasAccount}>
        <InputField
          label={texts.fields.name}
          hint={account.nameHint}
          error={fields.name}
          name="name"
          autoComplete="name"
          maxLength={NAME_MAX_CHARS}
          dir="auto"
        />
      </div>
      <EmailField error={fields.email} />
      <PasswordField
        label={texts.fields.password}
        hint={hasAccount ? undefined : texts.forms.passwordHint}
        error={fields.password}
        name="password"
        autoComplete={hasAccount ? 'current-password' : 'new-password'}
      />
      <p>
        <Button onClick={() => setHasAccount(!hasAccount)}>
          {hasAccount ? account.createNew : account.useExisting}
        </Button>
      </p>
    </Step>
  )
}

function ReadingStep() {
  const { settings } = useApi()
  const { reading } = setup
  const isFixed = settings.setup?.fixed.includes('reading')
  const { hint } = useFixed('reading', '')
  const first = isFixed ? settings.reading : 'everyone'
  return (
    <Step mark={3} title={reading.title} text={reading.text}>
      <fieldset className="options">
        <legend className="visually-hidden">{reading.title}</legend>
        {(['everyone', 'members'] as const).map((value) => (
          <label key={value} className="option">
            <input
              className="option__mark"
              type="radio"
              name="reading"
              value={value}
              defaultChecked={value === first}
              disabled={isFixed && value !== first}
            />
            <span>
              {reading[value].name}
              <small className="hint">{reading[value].hint}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {isFixed && <p className="hint">{hint}</p>}
    </Step>
  )
}

// --- sending

const BY_TYPE: Record<string, FormFailure> = {
  setup_done: new FormFailure(setup.failures.done),
  setup_code_invalid: fieldFailure('code', setup.failures.code),
  setup_code_replaced: fieldFailure('code', setup.failures.replaced),
  general_rate_limit_exceeded: new FormFailure(setup.failures.tooMany),
}

function failureOfType(type: string): FormFailure | undefined {
  return Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined
}

async function send(api: Api, read: Read, { hasAccount }: { hasAccount: boolean }): Promise<void> {
  const name = read('name').trim()
  const missing: FormFailure['fields'] = {}
  if (api.settings.setup?.state === 'code' && !read('code').trim())
    missing.code = setup.failures.noCode
  if (!hasAccount && !name) missing.name = texts.forms.noName
  if (!read('email').trim()) missing.email = setup.failures.noEmail
  if (!read('password')) missing.password = setup.failures.noPassword
  const sentences = Object.values(missing)
  if (sentences.length > 0)
    throw Object.assign(new FormFailure(sentences.join(' ')), { fields: missing })
  const body: NewSetup = {
    siteName: read('siteName').trim(),
    about: read('about').trim(),
    reading: read('reading') || api.settings.reading,
    ...(hasAccount ? {} : { name }),
    email: read('email').trim(),
    password: read('password'),
    ...(read('code') ? { code: read('code') } : {}),
  }
  await callSetup(api, 'post', body).catch((error: unknown) => {
    const { type, message } = failureOf(error)
    const failure = failureOfType(type)
    if (failure) throw failure
    if (/`siteName`/.test(message)) throw fieldFailure('siteName', setup.failures.oneLine)
    if (/`about`/.test(message)) throw fieldFailure('about', setup.failures.oneLine)
    throw error
  })
}

function callSetup(api: Api, method: 'get' | 'post', body: object = {}): Promise<Setup> {
  const url = new URL(`${api.client.config.endpoint}/setup`)
  return api.client.call(method, url, { 'content-type': 'application/json' }, body)
}
