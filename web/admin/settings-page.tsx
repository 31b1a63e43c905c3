// /admin/settings: the settings of the blog that operators can change. A choice is saved at once.
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
import { changeValues, type EditableSiteValues, readValues, sendTestMail } from './admin-api.ts'
import { type AdminData, AdminPage, AdminSection, useAdminData } from './admin-frame.tsx'
import { LogoSection } from './logo-section.tsx'
import { FixedHint, SaveRow } from './setting-parts.tsx'

const words = texts.adminSettings

export function AdminSettingsPage() {
  const page = useAdminData(readValues)
  return (
    <AdminPage title={words.title} page={page}>
      {(values) => <Sections values={values} page={page} />}
    </AdminPage>
  )
}

type ValuesProps = { values: EditableSiteValues; save: Save }

function Sections({
  values,
  page,
}: {
  values: EditableSiteValues
  page: AdminData<EditableSiteValues>
}) {
  const { save, show } = useSaving(values, page)
  const sectionProps = { values, save }
  const { reading, registration, comments } = words
  return (
    <div className="admin-sections admin-sections--narrow">
      <NameSection {...sectionProps} />
      <LogoSection logo={values.logo} show={show} />
      <AccentSection saved={values.accent} save={save} />
      <AdminSection title={reading.title}>
        <div className="box panel">
          <Choice
            {...sectionProps}
            name="reading"
            legend={reading.legend}
            options={reading.options}
          />
        </div>
      </AdminSection>
      <AdminSection title={registration.title}>
        <div className="box stack panel">
          <Choice
            {...sectionProps}
            name="registration"
            legend={registration.legend}
            options={registration.options}
          />
          <NewRole {...sectionProps} />
        </div>
      </AdminSection>
      <AdminSection title={comments.title}>
        <div className="box stack panel">
          <Choice
            {...sectionProps}
            name="comments"
            legend={comments.legend}
            options={comments.options}
          />
          <ApproveFirst {...sectionProps} />
        </div>
      </AdminSection>
      <MailSection />
    </div>
  )
}

/** @returns whether the page now shows the stored values */
type Save = (changes: Partial<SiteValues>) => Promise<boolean>

/**
 * Saves changes one after another. A value that somebody else has changed meanwhile is not saved:
 * the page shows the new value, and a toast says so.
 */
function useSaving(values: EditableSiteValues, page: AdminData<EditableSiteValues>) {
  const api = useApi()
  const toasts = useToasts()
  const site = useSiteIdentity()
  const knownValues = useRef(values)
  const lastSave = useRef<Promise<unknown>>(undefined)

  function show(newValues: EditableSiteValues): void {
    knownValues.current = newValues
    page.change(newValues)
    site.change(newValues)
    showAccent(newValues.accent)
  }
  /** @returns why it was not saved */
  async function attempt(changes: Partial<SiteValues>): Promise<string | undefined> {
    const current = await readValues(api)
    if (!current.ok) return reasonText(current.failure)
    const names = Object.keys(changes) as SiteValueName[]
    const hasChanged = names.some((name) => {
      const value = current.value[name]
      return value !== knownValues.current[name] && value !== changes[name]
    })
    if (hasChanged || names.some((name) => current.value.fixed.includes(name))) {
      show(current.value)
      return words.changedMeanwhile
    }
    const saved = await changeValues(api, changes)
    if (!saved.ok) return reasonText(saved.failure)
    show(saved.value)
    return undefined
  }
  async function save(changes: Partial<SiteValues>): Promise<boolean> {
    await lastSave.current
    const reason = await attempt(changes)
    toasts.show(reason ? { kind: 'error', text: reason } : { kind: 'ok', text: words.saved })
    return !reason || reason === words.changedMeanwhile
  }
  return {
    show,
    save(changes: Partial<SiteValues>) {
      const saving = save(changes)
      lastSave.current = saving
      return saving
    },
  }
}

/** Applies the accent colour until the next page, which the server renders with it. */
function showAccent(accent: string): void {
  const { style } = document.documentElement
  style.cssText = ''
  for (const [name, value] of Object.entries(accentTokens(accent))) style.setProperty(name, value)
}

function NameSection({ values, save }: ValuesProps) {
  const { siteName, about, fixed } = values
  const [missingName, setMissingName] = useState<SiteValueName>()
  const { isBusy, handleSubmit } = useForm(async (read: Read) => {
    const typed = { siteName: read('siteName').trim(), about: read('about').trim() }
    const names = (['siteName', 'about'] as const).filter((name) => !fixed.includes(name))
    const emptyName = names.find((name) => typed[name] === '')
    setMissingName(emptyName)
    if (emptyName) return document.getElementById(emptyName)?.focus()
    const changed = names.filter((name) => typed[name] !== values[name])
    if (changed.length > 0)
      await save(Object.fromEntries(changed.map((name) => [name, typed[name]])))
  })
  const { name } = words
  const isAllFixed = fixed.includes('siteName') && fixed.includes('about')
  return (
    <AdminSection title={name.title}>
      <form className="box stack panel" noValidate aria-label={name.title} onSubmit={handleSubmit}>
        <LineField
          name="siteName"
          label={name.label}
          hint={name.most(SITE_NAME_MAX_CHARS)}
          maxLength={SITE_NAME_MAX_CHARS}
          isFixed={fixed.includes('siteName')}
          error={missingName === 'siteName' && name.missing}
          saved={siteName}
        />
        <LineField
          name="about"
          label={name.line}
          hint={name.lineHint}
          maxLength={ABOUT_MAX_CHARS}
          isFixed={fixed.includes('about')}
          error={missingName === 'about' && name.lineMissing}
          saved={about}
        />
        {!isAllFixed && <SaveRow isBusy={isBusy} />}
      </form>
    </AdminSection>
  )
}

type LineFieldProps = {
  name: SiteValueName
  label: string
  hint: string
  maxLength: number
  isFixed: boolean
  error: string | false
  saved: string
}

/** A single-line field. The typed text stays until the saved value changes. */
function LineField({ name, hint, isFixed, saved, ...rest }: LineFieldProps) {
  const [typed, setTyped] = useState(saved)
  useEffect(() => setTyped(saved), [saved])
  return (
    <InputField
      {...rest}
      id={name}
      name={name}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      hint={isFixed ? <FixedHint /> : hint}
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
  const [pendingValue, setPendingValue] = useState<SiteValues[Name]>()
  const entries = Object.entries(options) as [SiteValues[Name], { name: string; hint: string }][]
  async function handleChoose(value: SiteValues[Name]) {
    setPendingValue(value)
    await save({ [name]: value })
    setPendingValue((current) => (current === value ? undefined : current))
  }
  if (values.fixed.includes(name))
    return <FixedValue label={legend} value={options[values[name]].name} />
  return (
    <Options
      legend={legend}
      options={entries.map(([value, labels]) => ({ value, ...labels }))}
      selected={pendingValue ?? values[name]}
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
      choices={(['author', 'reader'] as const).map((name) => [name, names[name]])}
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
  return <InputField label={label} value={value} readOnly hint={<FixedHint />} />
}

function MailSection() {
  const api = useApi()
  const { title, state, seeKept, test, testing, done, failed } = words.mail
  const { mail } = api.settings
  const [doneText, setDoneText] = useState<ReactNode>()
  const { isBusy, failure, call } = useCall(async () => {
    setDoneText(undefined)
    const answer = await sendTestMail(api)
    if (answer.ok) return setDoneText(done(<bdi>{answer.value.to}</bdi>, timeOfDay(Date.now())))
    const { type } = answer.failure
    throw new FormFailure(type === 'mail_not_sent' ? failed : reasonText(answer.failure))
  })
  return (
    <AdminSection title={title}>
      <div className="box stack panel">
        <p>{state[mail]}</p>
        <FormOutcome failureText={failure?.message} doneText={doneText} />
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
