package main

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	util "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func details(list field.ErrorList) []string {
	result := []string{}
	for _, e := range list {
		result = append(result, e.Detail)
	}
	return result
}

type check struct {
	name string
	ask  func(string) []string
}

var checks = []check{
	{"dns1123_label", util.IsDNS1123Label},
	{"dns1123_subdomain", util.IsDNS1123Subdomain},
	{"dns1123_subdomain_with_underscore", util.IsDNS1123SubdomainWithUnderscore},
	{"dns1035_label", util.IsDNS1035Label},
	{"wildcard_dns1123_subdomain", util.IsWildcardDNS1123Subdomain},
	{"path_segment", path.IsValidPathSegmentName},
	{"path_segment_prefix", path.IsValidPathSegmentPrefix},
	{"label_key", util.IsQualifiedName},
	{"label_value", util.IsValidLabelValue},
	{"annotation_key", func(s string) []string {
		return details(validation.ValidateAnnotations(map[string]string{s: ""}, nil))
	}},
	{"port_name", util.IsValidPortName},
	{"env_var_name", util.IsEnvVarName},
	{"relaxed_env_var_name", util.IsRelaxedEnvVarName},
	{"config_map_key", util.IsConfigMapKey},
	{"c_identifier", util.IsCIdentifier},
	{"percent", util.IsValidPercent},
	{"http_header_name", util.IsHTTPHeaderName},
	{"decimal_integer", content.IsDecimalInteger},
	{"ip", func(s string) []string { return details(util.IsValidIP(nil, s)) }},
	{"ip_in_old_field", func(s string) []string {
		return details(util.IsValidIPForLegacyField(nil, s, true, nil))
	}},
	{"generate_name", func(s string) []string { return validation.NameIsDNSSubdomain(s, true) }},
}

func repeat(s string, n int) string { return strings.Repeat(s, n) }

var nameEdges = []string{
	"", "a", "A", "1", "-", "_", ".", "..", "...", "..a", "a.", ".a", "a..b", "a.b", "a-b", "a-", "-a", "a_b", "_a", "a_", "a.b-c",
	"a.-b", "a-.b", "my-name", "My-Name", "123-abc", "abc-123", "example.com", "example.com/", "/a", "example.com/MyName", "a/b/c",
	"EXAMPLE.com/a", "example.com/-a", "*.example.com", "*", "*.", "*.*.com", "a b", "a\n", "a%b", "a/b%c", "é", "a--b", "--", "http",
	"http-8080", "8080", "0", "00", "-0", "-5", "05", "5x", "25%", "%", "2.5%", "-5%", "X-Header", "X_Header", "MY_ENV.NAME", "1ENV",
	"A=B", "\x7f", "~", "web-", "a-web-", "-web-", "web--", "w-", "_a._b", "__a", "a.b/c_d.E", "name\x00", "a,b",
	repeat("a", 15), repeat("a", 16), repeat("a", 63), repeat("a", 64), repeat("a", 253), repeat("a", 254), repeat("A", 64),
	repeat("a", 253) + "/" + repeat("b", 63), repeat("a", 254) + "/" + repeat("b", 64), repeat("a.", 126) + "a", repeat("a.", 127) + "a", repeat("-", 16),
}

var ipEdges = strings.Fields(`
1.2.3.4 0.0.0.0 255.255.255.255 256.1.1.1 1.2.3 1.2.3.4.5 01.2.3.4 1.2.3.04 1.2.3.00 1..2.3 .1.2.3 1.2.3. 1.2.3.4a 1.2.3.-4 10.9.8.7
:: ::1 1:: : ::: 1:2:3:4:5:6:7:8 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1:2:3:4:5:6:7:: ::2:3:4:5:6:7:8 1:2:3:4:5:6:7:8:: 1::2::3 2001:db8::ffff
2001:DB8::1 2001:db8:0:0:0:0:0:1 2001:0db8::1 2001:db8::00001 ::ffff:1.2.3.4 ::FFFF:1.2.3.4 ::1.2.3.4 ::ffff:01.2.3.4 ::ffff:102:304 1:2:3:4:5:6:1.2.3.4
1:2:3:4:5:1.2.3.4 1:2:3:4:5:6:7:1.2.3.4 ::1:2:3:4:5:6:1.2.3.4 fe80::1%eth0 1:0:0:2:0:0:0:3 1:0:0:2:3:0:0:4 0:0:1:: ::0 0:: 1:0:2:3:4:5:6:7 g::1 12345::1 ::12345
1: :1 1::2: 1.2:3.4 1:2.3.4.5 64:ff9b::1.2.3.4 64:ff9b::102:304 abcd:ef01:2345:6789:abcd:ef01:2345:6789 ABCD::`)

func names() {
	messages := []string{}
	index := map[string]int{}
	rows := []row{}
	ask := func(c check, in string) {
		numbers := []int{}
		for _, message := range c.ask(in) {
			if _, known := index[message]; !known {
				index[message] = len(messages)
				messages = append(messages, message)
			}
			numbers = append(numbers, index[message])
		}
		rows = append(rows, row{"t": "name", "check": c.name, "in": in, "says": numbers})
	}
	for _, c := range checks {
		edges := nameEdges
		if strings.HasPrefix(c.name, "ip") {
			edges = append([]string{"", "a", "1", "a.b"}, ipEdges...)
		}
		for _, in := range edges {
			ask(c, in)
		}
		for i := 0; i < 12; i++ {
			if strings.HasPrefix(c.name, "ip") {
				ask(c, text("012:.::f", 14))
			} else {
				ask(c, text("ab1AB-_./%*", 9))
			}
		}
	}
	emit(row{"t": "messages", "list": messages})
	for _, r := range rows {
		emit(r)
	}
	for _, port := range []int{-1, 0, 1, 80, 65535, 65536} {
		emit(row{"t": "port_number", "in": port, "says": append([]string{}, util.IsValidPortNum(port)...)})
	}
	for _, id := range []int64{-1, 0, 1, 2147483647, 2147483648} {
		emit(row{"t": "user_id", "in": id, "says": append([]string{}, util.IsValidUserID(id)...)})
	}
	for _, size := range []int{0, 262143, 262144, 262145} {
		annotations := map[string]string{"a": repeat("v", max(size-1, 0))}
		emit(row{"t": "annotations_size", "in": size, "says": details(validation.ValidateAnnotations(annotations, nil))})
	}
}
