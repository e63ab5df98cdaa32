package format

import "reflect"

// RegisterType is RegisterIn for a type known by reflection.
func RegisterType(types *Types, t reflect.Type, name string) error {
	b, err := newBoxType(t, name)
	if err != nil {
		return err
	}
	return types.add(b)
}
