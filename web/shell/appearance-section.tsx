// Settings: the theme and the bottom bar, kept in the account's preferences (rulings O16, O27).
import { SettingsSection } from '../accounts/settings-section.tsx'
import { type BottomBar, THEMES } from './theme.ts'
import { THEME_NAMES } from './theme-items.tsx'
import { useBottomBar, useChoose, useTheme } from './use-device-choices.ts'

const BARS: { value: BottomBar; name: string }[] = [
  { value: 'shown', name: 'Shown' },
  { value: 'hidden', name: 'Hidden' },
]

export function AppearanceSection() {
  const theme = useTheme()
  const bar = useBottomBar()
  const { chooseTheme, chooseBottomBar } = useChoose()
  return (
    <SettingsSection title="Appearance" text="Kept with your account. The theme follows you to your other devices.">
      <Choice
        legend="Theme"
        name="settings-theme"
        options={THEMES.map((value) => ({ value, name: THEME_NAMES[value] }))}
        now={theme}
        onChoose={chooseTheme}
      />
      <Choice legend="Bottom bar" name="settings-bar" options={BARS} now={bar} onChoose={chooseBottomBar} />
    </SettingsSection>
  )
}

type ChoiceProps<Value extends string> = {
  legend: string
  name: string
  options: { value: Value; name: string }[]
  now: Value
  onChoose: (value: Value) => void
}

function Choice<Value extends string>({ legend, name, options, now, onChoose }: ChoiceProps<Value>) {
  return (
    <fieldset className="choice">
      <legend>{legend}</legend>
      <div className="seg">
        {options.map((option) => (
          <label key={option.value}>
            <input type="radio" name={name} value={option.value} checked={option.value === now} onChange={() => onChoose(option.value)} />
            {option.name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
