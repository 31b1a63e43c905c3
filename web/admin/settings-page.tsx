// /admin/settings: what operators set of the blog. A choice is saved at once.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { accentTokens } from '#contract/accent.ts'
import {
  ABOUT_MAX_CHARS,
  SITE_NAME_MAX_CHARS,
  type SiteValueName,
  type SiteValues,
} from '#contract/site-settings.ts'
import { useApi } from '../api/client.ts'
import { useSiteIdentity } from '../api/site-identity.ts'
import { timeOfDay } from '../dates/dates.tsx'
import { FormFailure } from '../forms/form-failure.ts'
import { FormOutcome } from '../forms/form-parts.tsx'
import { type Read, useCall, useForm } from '../forms/use-form.ts'
import { texts } from '../locales/texts.ts'
import { reasonText } from '../posts/failure-cause.ts'
import { Button } from '../ui/button.tsx'
import { InputField, SelectField } from '../ui/field.tsx'
import { Link } from '../ui/link.tsx'
import { Options } from '../ui/options.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { AccentSection } from './accent-section.tsx'
import { changeValues, type FoundValues, readValues, sendTestMail } from './admin-api.ts'
import { type AdminData, AdminPage, AdminSection, useAdminData } from './admin-frame.tsx'
import { LogoSection } from './logo-section.tsx'
import { Locked, SaveRow } from './setting-parts.tsx'

const words = texts.adminSettings

export function AdminSettingsPage() {
  const page = useAdminData(readValues)
  return (
    <AdminPage title={words.title} page={page}>
      {(values) => <Sections values={values} page={page} />}
    </AdminPage>
  )
}

type ValuesProps = { values: FoundValues; save: Save }

function Sections({ values, page }: { values: FoundValues; page: AdminData<FoundValues> }) {
  const { save, show } = useSaving(values, page)
  const part = { values, save }
  const { reading, registration, comments } = words
  return (
    <div className="admin-sections admin-sections--narrow">
      <NameSection {...part} />
      <LogoSection logo={values.logo} show={show} />
      <AccentSection saved={values.accent} save={save} />
      <AdminSection title={reading.title}>
        <div className="box panel">
          <Choice {...part} name="reading" legend={reading.legend} options={reading.options} />
        </div>
      </AdminSection>
      <AdminSection title={registration.title}>
        <div className="box stack panel">
          <Choice
            {...part}
            name="registration"
            legend={registration.legend}
            options={registration.options}
          />
          <NewRole {...part} />
        </div>
      </AdminSection>
      <AdminSection title={comments.title}>
        <div className="box stack panel">
          <Choice {...part} name="comments" legend={comments.legend} options={comments.options} />
          <ApproveFirst {...part} />
        </div>
      </AdminSection>
      <MailSection />
    </div>
  )
}

/** @returns whether what is set now is shown */
type Save = (changes: Partial<SiteValues>) => Promise<boolean>

/**
 * Saves one after another what nobody else has changed meanwhile; else shows and says what is there
 * now.
 */
function useSaving(values: FoundValues, page: AdminData<FoundValues>) {
  const api = useApi()
  const toasts = useToasts()
  const site = useSiteIdentity()
  const known = useRef(values)
  const last = useRef<Promise<unknown>>(undefined)

  function show(now: FoundValues): void {
    known.current = now
    page.change(now)
    site.change(now)
    showAccent(now.accent)
  }
  /** @returns why it was not saved */
  async function attempt(changes: Partial<SiteValues>): Promise<string | undefined> {
    const now = await readValues(api)
    if (!now.ok) return reasonText(now.failure)
    const names = Object.keys(changes) as SiteValueName[]
    const isOther = names.some(
      (name) => now.value[name] !== known.current[name] && now.value[name] !== changes[name],
    )
    if (isOther || names.some((name) => now.value.fixed.includes(name))) {
      show(now.value)
      return words.changedMeanwhile
    }
    const saved = await changeValues(api, changes)
    if (!saved.ok) return reasonText(saved.failure)
    show(saved.value)
    return undefined
  }
  async function save(changes: Partial<SiteValues>): Promise<boolean> {
    await last.current
    const failed = await attempt(changes)
    toasts.show(failed ? { kind: 'error', text: failed } : { kind: 'ok', text: words.saved })
    return !failed || failed === words.changedMeanwhile
  }
  return {
    show,
    save(changes: Partial<SiteValues>) {
      const saving = save(changes)
      last.current = saving
      return saving
    },
  }
}

/** Until the next page, which has it from the server. */
function showAccent(accent: string): void {
  const { style } = document.documentElement
  style.cssText = ''
  for (const [name, value] of Object.entries(accentTokens(accent))) style.setProperty(name, value)
}

function NameSection({ values, save }: ValuesProps) {
  const { siteName, about, fixed } = values
  const [missing, setMissing] = useState<SiteValueName>()
  const { isBusy, handleSubmit } = useForm(async (read: Read) => {
    const typed = { siteName: read('siteName').trim(), about: read('about').trim() }
    const names = (['siteName', 'about'] as const).filter((name) => !fixed.includes(name))
    const empty = names.find((name) => typed[name] === '')
    setMissing(empty)
    if (empty) return document.getElementById(empty)?.focus()
    const changed = names.filter((name) => typed[name] !== values[name])
    if (changed.length > 0) await save(Object.fromEntries(changed.map((n) => [n, typed[n]])))
  })
  const { name } = words
  const isAllFixed = fixed.includes('siteName') && fixed.includes('about')
  return (
    <AdminSection title={name.title}>
      <form className="box stack panel" noValidate aria-label={name.title} onSubmit={handleSubmit}>
        <Line
          name="siteName"
          label={name.label}
          hint={name.most(SITE_NAME_MAX_CHARS)}
          maxLength={SITE_NAME_MAX_CHARS}
          isFixed={fixed.includes('siteName')}
          error={missing === 'siteName' && name.missing}
          saved={siteName}
        />
        <Line
          name="about"
          label={name.line}
          hint={name.lineHint}
          maxLength={ABOUT_MAX_CHARS}
          isFixed={fixed.includes('about')}
          error={missing === 'about' && name.lineMissing}
          saved={about}
        />
        {!isAllFixed && <SaveRow isBusy={isBusy} />}
      </form>
    </AdminSection>
  )
}

type LineProps = {
  name: SiteValueName
  label: string
  hint: string
  maxLength: number
  isFixed: boolean
  error: string | false
  saved: string
}

/** What is typed stays, unless the value was changed. */
function Line({ name, hint, isFixed, saved, ...rest }: LineProps) {
  const [typed, setTyped] = useState(saved)
  useEffect(() => setTyped(saved), [saved])
  return (
    <InputField
      {...rest}
      id={name}
      name={name}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      hint={isFixed ? <Locked /> : hint}
      readOnly={isFixed}
      autoComplete="off"
      dir="auto"
    />
  )
}

type ChoiceName = 'reading' | 'registration' | 'comments'
type ChoiceProps<Name extends ChoiceName> = ValuesProps & {
  name: Name
  legend: string
  options: Record<SiteValues[Name], { name: string; hint: string }>
}

function Choice<Name extends ChoiceName>(props: ChoiceProps<Name>) {
  const { values, save, name, legend, options } = props
  const [wanted, setWanted] = useState<SiteValues[Name]>()
  const entries = Object.entries(options) as [SiteValues[Name], { name: string; hint: string }][]
  async function handleChoose(value: SiteValues[Name]) {
    setWanted(value)
    await save({ [name]: value })
    setWanted((now) => (now === value ? undefined : now))
  }
  if (values.fixed.includes(name))
    return <FixedValue label={legend} value={options[values[name]].name} />
  return (
    <Options
      legend={legend}
      options={entries.map(([value, one]) => ({ value, ...one }))}
      now={wanted ?? values[name]}
      onChoose={(value) => void handleChoose(value)}
    />
  )
}

function NewRole({ values, save }: ValuesProps) {
  const { role, roleHint } = words.registration
  const names = texts.adminRoles
  if (values.fixed.includes('newRole'))
    return <FixedValue label={role} value={names[values.newRole]} />
  return (
    <SelectField
      label={role}
      hint={roleHint}
      choices={(['author', 'reader'] as const).map((one) => [one, names[one]])}
      value={values.newRole}
      onChange={(value) => void save({ newRole: value === 'reader' ? 'reader' : 'author' })}
    />
  )
}

function ApproveFirst({ values, save }: ValuesProps) {
  const { approve, approveHint, on, off } = words.comments
  const isOn = values.approveFirst === 'on'
  if (values.fixed.includes('approveFirst'))
    return <FixedValue label={approve} value={isOn ? on : off} />
  return (
    <label className="option">
      <input
        className="check"
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => void save({ approveFirst: target.checked ? 'on' : 'off' })}
      />
      <span>
        {approve}
        <small className="hint">{approveHint}</small>
      </span>
    </label>
  )
}

function FixedValue({ label, value }: { label: string; value: string }) {
  return <InputField label={label} value={value} readOnly hint={<Locked />} />
}

function MailSection() {
  const api = useApi()
  const { title, state, seeKept, test, testing, done, failed } = words.mail
  const { mail } = api.settings
  const [sent, setSent] = useState<ReactNode>()
  const { isBusy, failure, call } = useCall(async () => {
    setSent(undefined)
    const answer = await sendTestMail(api)
    if (answer.ok) return setSent(done(<bdi>{answer.value.to}</bdi>, timeOfDay(Date.now())))
    const { type } = answer.failure
    throw new FormFailure(type === 'mail_not_sent' ? failed : reasonText(answer.failure))
  })
  return (
    <AdminSection title={title}>
      <div className="box stack panel">
        <p>{state[mail]}</p>
        <FormOutcome failureText={failure?.message} doneText={sent} />
        {mail === 'kept' && (
          <Link className="link" to="/admin/mails">
            {seeKept}
          </Link>
        )}
        {mail === 'sent' && (
          <div className="row">
            <Button isBusy={isBusy} busyLabel={testing} onClick={() => void call()}>
              {test}
            </Button>
          </div>
        )}
      </div>
    </AdminSection>
  )
}
