// Settings: the name shown with one's posts.
import type { Account } from '#contract/accounts.ts'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Field } from '../ui/field.tsx'
import { TextInput } from '../ui/text-input.tsx'
import { changeName } from './account-changes-api.ts'
import { fieldFailure } from './form-failure.ts'
import { SettingsForm } from './settings-form.tsx'
import { SettingsSection } from './settings-section.tsx'
import { useSettingsForm } from './use-settings-form.ts'

export function NameSection({ account }: { account: Account }) {
  const api = useApi()
  const form = useSettingsForm(
    async (read) => {
      const name = read('name').trim()
      if (!name) return { failure: fieldFailure('name', texts.nameSection.missing) }
      return { account: await changeName(api, name) }
    },
    { doneText: texts.nameSaving.done },
  )
  return (
    <SettingsSection title={texts.nameSection.title} text={texts.nameSection.text}>
      <SettingsForm
        form={form}
        label={texts.nameSection.form}
        submitLabel={texts.nameSaving.button}
        busyLabel={texts.nameSaving.busy}
      >
        <Field label={texts.fields.name} error={form.failure?.fields.name}>
          {(ids) => (
            <TextInput
              {...ids}
              name="name"
              autoComplete="name"
              dir="auto"
              defaultValue={account.name}
            />
          )}
        </Field>
      </SettingsForm>
    </SettingsSection>
  )
}
