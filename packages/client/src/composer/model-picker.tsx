import { Cpu } from 'lucide-react'
import { text } from '../text/text.ts'
import { Menu, MenuChoice } from '../ui/menu.tsx'
import { defaultModel, findModel, type Model, modelLabel } from './models.ts'
import { PickerButton } from './picker-button.tsx'

interface ModelPickerProps {
  models: readonly Model[]
  /** Undefined: the default. */
  value: string | undefined
  onChange: (model: string | undefined) => void
  /** No model of the list answers. */
  demo?: boolean
}

export function ModelPicker({ models, value, onChange, demo = false }: ModelPickerProps) {
  const words = text.composer
  const chosen = findModel(models, value)
  const options = modelOptions(models, value)
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <PickerButton
          icon={Cpu}
          name={words.model}
          value={demo ? words.modelDemo : chosenLabel(models, value)}
        />
      }
    >
      <MenuChoice
        label={words.model}
        value={value === undefined ? defaultModel : (chosen?.value ?? value)}
        options={options}
        onChange={(model) => onChange(model === defaultModel ? undefined : model)}
      />
    </Menu>
  )
}

function chosenLabel(models: readonly Model[], value: string | undefined): string {
  return value === undefined ? text.composer.modelDefault : (modelLabel(models, value) ?? value)
}

/** The default first; one that the list does not have (set by hand, or of another time) stays to be seen. */
function modelOptions(models: readonly Model[], value: string | undefined) {
  const words = text.composer
  const standard = models.find((model) => model.value === defaultModel)
  const others = models.filter((model) => model.value !== defaultModel)
  const isKnown = value === undefined || findModel(models, value) !== undefined
  return [
    {
      value: defaultModel,
      label: standard?.label ?? words.modelDefault,
      hint: standard?.description || words.modelDefaultHint,
    },
    ...others.map(({ value, label, description }) => ({
      value,
      label,
      ...(description !== '' && { hint: description }),
    })),
    ...(isKnown ? [] : [{ value, label: value }]),
  ]
}
