// A row of options of which the user chooses one.

type SegmentedProps<Value extends string> = {
  legend: string
  /** Shows the legend to screen readers only. */
  isBare?: boolean
  /** Used only with `isBare`. */
  className?: string
  name: string
  options: readonly { value: Value; name: string }[]
  selected: Value
  onChoose: (value: Value) => void
}

export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { legend, isBare = false, className = '', name, options, selected, onChoose } = props
  const choices = options.map((option) => (
    <label key={option.value} className="target quiet">
      <input
        type="radio"
        name={name}
        value={option.value}
        checked={option.value === selected}
        onChange={() => onChoose(option.value)}
      />
      {option.name}
    </label>
  ))
  return isBare ? (
    <fieldset className={`segmented ${className}`.trimEnd()}>
      <legend className="visually-hidden">{legend}</legend>
      {choices}
    </fieldset>
  ) : (
    <fieldset className="choice">
      <legend>{legend}</legend>
      <div className="segmented">{choices}</div>
    </fieldset>
  )
}
